import { emdText } from '@nivida/contract/format';
import type { Tender } from '@nivida/contract/tender';
import { Button } from '../../ui/Button.tsx';
import { Sheet } from '../../ui/Sheet.tsx';
import { Stamp } from '../../ui/Status.tsx';
import { ClosingPanel } from './ClosingPanel.tsx';
import { Fact, Facts } from './Facts.tsx';
import { feeText, placeText, priceFacts, shortMoment, statusAt, statusTone, statusWord } from './facts.ts';
import { MovedNote } from './MovedNote.tsx';
import css from './TenderView.module.css';

interface TenderHeadProps {
  tender: Tender;
  now: Date;
  /** Where back leads, in words: 'Back to results'. */
  backLabel: string;
  onBack: () => void;
}

/** Status, title, closing and the four facts that decide. */
export function TenderHead({ tender, now, backLabel, onBack }: TenderHeadProps) {
  const status = statusAt(tender, now);
  const price = priceFacts(tender);
  const where = placeText([tender.place, tender.district ?? tender.state]);
  return (
    <Sheet stack className={css.head}>
      <div className={css.id}>
        <Stamp tone={statusTone(status)} label={statusWord(status)} />
        {tender.demonstration && <Stamp tone="gray" label="Demonstration" />}
        <span>
          {tender.org_name} · {where}
        </span>
        <span className={css.wide}>{tender.source_tender_id}</span>
        <span className={css.back}>
          <Button look="plain" onClick={onBack}>
            {backLabel}
          </Button>
        </span>
      </div>
      <h1 className={css.title}>{tender.title}</h1>
      <div className={css.narrow}>
        <ClosingPanel tender={tender} now={now} />
        <MovedNote tender={tender} now={now} />
      </div>
      <Facts four>
        <Fact name="Estimated value" look="big">
          {price.text} {price.hint && <small>{price.hint}</small>}
        </Fact>
        <Fact name="EMD" look="big">
          {emdText(tender.emd)}
        </Fact>
        <Fact name="Tender fee">{feeText(tender.tender_fee)}</Fact>
        <Fact name="Bid opening">{shortMoment(tender.opening_date, now)}</Fact>
      </Facts>
    </Sheet>
  );
}
