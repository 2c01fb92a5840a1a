import { t } from '@lingui/core/macro';
import { districtsText } from '@nivida/contract/format';
import { placeName } from '@nivida/contract/regions/states';
import { tenderAmount } from '@nivida/contract/tenders/missing-value';
import { statusAt } from '@nivida/contract/tenders/status';
import type { Tender, TenderSummary } from '@nivida/contract/tenders/tender';
import { useEffect, useState } from 'react';
import { currentTime } from '../../data/clock.ts';
import { errorMessage } from '../../data/server/api.ts';
import { useTender } from '../../data/server/tenders.ts';
import { findTenderOnDevice } from '../../offline/packs/local-engines.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { Panel } from '../../ui/display/Panel.tsx';
import { StatusStamp } from '../../ui/display/Status.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { langOf } from '../../ui/words/lang-of.ts';
import { ClosingPanel } from '../tender/ClosingPanel.tsx';
import { DepartmentName } from '../tender/DepartmentName.tsx';
import { Fact, FactList } from '../tender/facts/FactList.tsx';
import { TenderTerm } from '../tender/facts/TenderTerm.tsx';
import {
  placesText,
  priceFacts,
  shortInstantText,
  tenderFeeText,
  tenderStatusLabel,
  tenderStatusTone,
} from '../tender/labels.ts';
import css from './Results.module.css';

/** From this width on, screens have a preview beside the list. */
export const PREVIEW_FROM_WIDTH = '72rem';

/** The pointer must rest on a card for this time before the tender's details are read. */
const REST_MS = 200;

/** The details of the previewed tender, from the device or the server. */
function usePreviewDetails(id: string): { details: Tender | undefined; error: unknown } {
  const [found, setFound] = useState<{ id: string; tender: Tender | undefined }>();
  useEffect(() => {
    let isWanted = true;
    const rest = setTimeout(async () => {
      const row = await findTenderOnDevice(id, currentTime());
      if (isWanted) setFound({ id, tender: row?.tender });
    }, REST_MS);
    return () => {
      isWanted = false;
      clearTimeout(rest);
    };
  }, [id]);
  const isLookedUp = found?.id === id;
  const { answer, error } = useTender(isLookedUp && !found.tender ? id : null);
  return { details: (isLookedUp ? found.tender : undefined) ?? answer, error };
}

/**
 * The preview of the hovered or focused tender. It shows the list's fields at once, and fee and opening once
 * they are read.
 */
export function TenderPreview({ tender, now }: { tender: TenderSummary; now: Date }) {
  const { details, error } = usePreviewDetails(tender._id);
  const waiting = error !== undefined ? t`Not loaded` : <Skeleton>{15}</Skeleton>;
  const status = statusAt(tender, now);
  const price = priceFacts(tender);
  return (
    <aside className={css.preview} aria-label={t`Preview`} data-from-width={PREVIEW_FROM_WIDTH}>
      <Panel stack>
        <div className="row">
          <StatusStamp tone={tenderStatusTone(status)} label={tenderStatusLabel(status)} />
          {tender.demonstration && <StatusStamp tone="gray" label={t`Demonstration`} />}
        </div>
        <h2 lang={langOf(tender.title)}>{tender.title}</h2>
        <p className="s muted">
          <span lang={langOf(tender.org_name)}>{tender.org_name}</span> ·{' '}
          {placesText(() => [districtsText(tender), placeName(tender.state)])}
        </p>
        <ClosingPanel tender={tender} now={now} scale="list" />
        <FactList>
          <Fact name={t`Estimated value`} look="big">
            {price.text} {price.hint && <small>{price.hint}</small>}
          </Fact>
          <Fact name="EMD" look="big">
            {tenderAmount(tender.emd, tender)}
          </Fact>
          <Fact name={t`Tender fee`}>{details ? tenderFeeText(details) : waiting}</Fact>
          <Fact name={t`Bid opening`}>{details ? shortInstantText(details.opening_date, now) : waiting}</Fact>
          {tender.department && tender.department !== tender.org_name && (
            <Fact name={t`Department`} look="full">
              <DepartmentName name={tender.department} />
            </Fact>
          )}
          {tender.reference_number && (
            <Fact name={<TenderTerm form="NIT" word="nit" />} look="full">
              {tender.reference_number}
              {tender.nit_works > 1 && <p className="s">{t`${tender.nit_works} works in this NIT`}</p>}
            </Fact>
          )}
          <Fact name={t`Tender ID`} look="full">
            {tender.source_tender_id}
          </Fact>
        </FactList>
        {!details && error !== undefined && (
          <p className="s muted">{errorMessage(error, t`Failed to fetch tender details`)}</p>
        )}
        <ButtonLink look="main" to={`/tenders/${tender._id}`} state={{ fromList: true }}>
          {t({ message: 'Open tender', context: 'button' })}
        </ButtonLink>
      </Panel>
    </aside>
  );
}
