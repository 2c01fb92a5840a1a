import { emdText } from '@nivida/contract/format';
import { statusAt } from '@nivida/contract/tenders/status';
import type { TenderSummary } from '@nivida/contract/tenders/tender';
import { ButtonLink } from '../../../ui/Button.tsx';
import { Panel } from '../../../ui/display/Panel.tsx';
import { StatusStamp } from '../../../ui/display/Status.tsx';
import { ClosingPanel } from '../detail/ClosingPanel.tsx';
import { Fact, FactList } from '../detail/FactList.tsx';
import { placesText, priceFacts, tenderStatusLabel, tenderStatusTone } from '../labels.ts';
import css from './Results.module.css';

/** The hovered or focused tender of the list, with the list's fields; from 72rem. */
export function TenderPreview({ tender, now }: { tender: TenderSummary; now: Date }) {
  const status = statusAt(tender, now);
  const price = priceFacts(tender);
  return (
    <aside className={css.preview} aria-label="Preview">
      <Panel stack>
        <div className="row">
          <StatusStamp tone={tenderStatusTone(status)} label={tenderStatusLabel(status)} />
          {tender.demonstration && <StatusStamp tone="gray" label="Demonstration" />}
        </div>
        <h2>{tender.title}</h2>
        <p className="s muted">
          {tender.org_name} · {placesText([tender.district, tender.state])}
        </p>
        <ClosingPanel tender={tender} now={now} />
        <FactList>
          <Fact name="Estimated value" look="big">
            {price.text} {price.hint && <small>{price.hint}</small>}
          </Fact>
          <Fact name="EMD" look="big">
            {emdText(tender.emd)}
          </Fact>
          {tender.department && (
            <Fact name="Department" look="full">
              {tender.department}
            </Fact>
          )}
          {tender.nit_works > 1 && (
            <Fact name="NIT group" look="full">
              {tender.nit_works} works in this NIT
            </Fact>
          )}
          <Fact name="Tender ID" look="full">
            {tender.source_tender_id}
          </Fact>
        </FactList>
        <ButtonLink look="main" to={`/tenders/${tender._id}`} state={{ fromList: true }}>
          Open tender
        </ButtonLink>
      </Panel>
    </aside>
  );
}
