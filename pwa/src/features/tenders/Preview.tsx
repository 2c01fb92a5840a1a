import { emdText } from '@nivida/contract/format';
import type { TenderSummary } from '@nivida/contract/tender';
import { ButtonLink } from '../../ui/Button.tsx';
import { Sheet } from '../../ui/Sheet.tsx';
import { Stamp } from '../../ui/Status.tsx';
import { ClosingPanel } from './ClosingPanel.tsx';
import { Fact, Facts } from './Facts.tsx';
import { placeText, priceFacts, statusAt, statusTone, statusWord } from './facts.ts';
import css from './Results.module.css';

/** The tender that is pointed at or focused in the list, with what the list knows of it; from 72rem. */
export function Preview({ tender, now }: { tender: TenderSummary; now: Date }) {
  const status = statusAt(tender, now);
  const price = priceFacts(tender);
  return (
    <aside className={css.preview} aria-label="Preview">
      <Sheet stack>
        <div className="row">
          <Stamp tone={statusTone(status)} label={statusWord(status)} />
          {tender.demonstration && <Stamp tone="gray" label="Demonstration" />}
        </div>
        <h2>{tender.title}</h2>
        <p className="s muted">
          {tender.org_name} · {placeText([tender.district, tender.state])}
        </p>
        <ClosingPanel tender={tender} now={now} />
        <Facts>
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
        </Facts>
        <ButtonLink look="main" to={`/tenders/${tender._id}`} state={{ fromList: true }}>
          Open tender
        </ButtonLink>
      </Sheet>
    </aside>
  );
}
