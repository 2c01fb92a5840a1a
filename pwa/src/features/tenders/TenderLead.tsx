import { formatAge } from '@nivida/contract/format';
import { portalOf } from '@nivida/contract/portals';
import type { Tender } from '@nivida/contract/tender';
import { Icon } from '../../ui/Icon.tsx';
import css from './Lead.module.css';

interface TenderLeadProps {
  /** Undefined while it loads or when it failed to. */
  tender: Tender | undefined;
  now: Date;
  backLabel: string;
  onBack: () => void;
}

/** Back, the tender's id at its portal and the age of our copy, in a phone's top bar. */
export function TenderLead({ tender, now, backLabel, onBack }: TenderLeadProps) {
  return (
    <button type="button" className={css.lead} onClick={onBack}>
      <Icon name="back" />
      <span className={css.words}>
        <span className={tender ? 'sr' : undefined}>{backLabel}</span>
        {tender && (
          <>
            <b>{tender.source_tender_id}</b>
            <span className="xs muted">
              Checked {formatAge(new Date(tender.fetched_at), now)} · {portalOf(tender.source_portal).name}
            </span>
          </>
        )}
      </span>
    </button>
  );
}
