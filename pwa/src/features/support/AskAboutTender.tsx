import { t } from '@lingui/core/macro';
import type { TenderSummary } from '@nivida/contract/tenders/tender';
import { useSession } from '../../data/session.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { Icon } from '../../ui/display/Icon.tsx';

/** Opens a message to support with the tender attached. Signed out there are no messages. */
export function AskAboutTender({ tender: { _id, title } }: { tender: Pick<TenderSummary, '_id' | 'title'> }) {
  if (!useSession()) return null;
  return (
    <div className="row">
      <ButtonLink look="plain" to={`/dashboard/support?tender=${_id}`} state={{ title }}>
        <Icon name="help" /> {t`Ask about this tender`}
      </ButtonLink>
    </div>
  );
}
