import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { feedPath } from '@nivida/contract/data-out/feed-addresses';
import type { TenderListQuery } from '@nivida/contract/filter/tender-filter';
import { currentLanguage } from '@nivida/contract/i18n';
import { Dialog } from '../../ui/Dialog.tsx';
import { FeedAddresses } from './FeedAddress.tsx';

/** The public addresses at which programs read a list. */
export function ListFeedsDialog({ search, onClose }: { search: TenderListQuery; onClose: () => void }) {
  return (
    <Dialog title={t`Feed, CSV and calendar`} onClose={onClose}>
      <p className="s muted">
        <Trans>These addresses always have the tenders of this list. They are public and need no account.</Trans>
      </p>
      <FeedAddresses pathOf={(format) => feedPath(format, search, currentLanguage())} />
    </Dialog>
  );
}
