import { formatAge } from '@nivida/contract/format';
import { portalInfo } from '@nivida/contract/tenders/portals';
import type { Tender } from '@nivida/contract/tenders/tender';
import { Icon } from '../../../ui/display/Icon.tsx';
import css from '../PageHeader.module.css';

interface TenderPageHeaderProps {
  /** Undefined while it loads or when it failed to. */
  tender: Tender | undefined;
  now: Date;
  backLabel: string;
  onBack: () => void;
}

/** Back, the tender's id at its portal and the age of our copy, in a phone's top bar. */
export function TenderPageHeader({ tender, now, backLabel, onBack }: TenderPageHeaderProps) {
  return (
    <button type="button" className={css.lead} onClick={onBack}>
      <Icon name="back" />
      <span className={css.words}>
        <span className={tender ? 'sr' : undefined}>{backLabel}</span>
        {tender && (
          <>
            <b>{tender.source_tender_id}</b>
            <span className="xs muted">
              Checked {formatAge(new Date(tender.fetched_at), now)} · {portalInfo(tender.source_portal).name}
            </span>
          </>
        )}
      </span>
    </button>
  );
}
