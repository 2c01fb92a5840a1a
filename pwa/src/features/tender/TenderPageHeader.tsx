import { t } from '@lingui/core/macro';
import { formatAge } from '@nivida/contract/format';
import { useNavigate, useParams } from 'react-router-dom';
import { useNow } from '../../data/clock.ts';
import { useOfflineTender } from '../../offline/queries/useOfflineTender.ts';
import { useShownLocation } from '../../ui/browser-state.ts';
import { Icon } from '../../ui/display/Icon.tsx';
import css from './PageHeader.module.css';

/** A longer tender id has smaller letters, so that it fits on one line of a phone. */
const MAX_ID_LENGTH = 20;

/** The link back from a tender: to its list, or to the search form when there is none. */
export function useWayBack(): { backLabel: string; onBack: () => void } {
  const navigate = useNavigate();
  const isFromList = Boolean(useShownLocation().state?.fromList);
  return {
    backLabel: isFromList ? t`Back to results` : t`Back to search`,
    onBack: () => void (isFromList ? navigate(-1) : navigate('/tenders')),
  };
}

/** The page header of a tender on a phone: back, the portal's tender id and the age of our data. */
export function TenderPageHeader() {
  const { id = '' } = useParams();
  const { tender } = useOfflineTender(id);
  const now = useNow();
  const { backLabel, onBack } = useWayBack();
  return (
    <button type="button" className={css.lead} onClick={onBack}>
      <Icon name="back" />
      <span className={css.words}>
        <span className={tender ? 'sr' : undefined}>{backLabel}</span>
        {tender && (
          <>
            <b data-long={tender.source_tender_id.length > MAX_ID_LENGTH || undefined}>{tender.source_tender_id}</b>
            <span className="xs muted" data-clock="">
              {t`Checked ${formatAge(new Date(tender.fetched_at), now)}`} · {tender.source_portal}
            </span>
          </>
        )}
      </span>
    </button>
  );
}
