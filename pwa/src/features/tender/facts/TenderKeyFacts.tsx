import { t } from '@lingui/core/macro';
import { districtsText } from '@nivida/contract/format';
import { placeName } from '@nivida/contract/regions/states';
import { tenderAmount } from '@nivida/contract/tenders/missing-value';
import { statusAt } from '@nivida/contract/tenders/status';
import type { Tender } from '@nivida/contract/tenders/tender';
import { Button } from '../../../ui/Button.tsx';
import { Panel } from '../../../ui/display/Panel.tsx';
import { StatusStamp } from '../../../ui/display/Status.tsx';
import { langOf } from '../../../ui/words/lang-of.ts';
import { ClosingPanel } from '../ClosingPanel.tsx';
import { LastChangeNote, OtherSourcesNote } from '../corrigenda/LastChangeNote.tsx';
import {
  placesText,
  priceFacts,
  shortInstantText,
  tenderFeeText,
  tenderStatusLabel,
  tenderStatusTone,
} from '../labels.ts';
import css from '../TenderView.module.css';
import { useExplainedText } from './ExplainedText.tsx';
import { Fact, FactList } from './FactList.tsx';
import { TenderTerm } from './TenderTerm.tsx';

interface TenderKeyFactsProps {
  tender: Tender;
  now: Date;
  /** The label of the back link: 'Back to results'. */
  backLabel: string;
  onBack: () => void;
}

/** Status, title, closing and the four main facts. */
export function TenderKeyFacts({ tender, now, backLabel, onBack }: TenderKeyFactsProps) {
  const status = statusAt(tender, now);
  const price = priceFacts(tender);
  const { explained, meanings } = useExplainedText(tender.title);
  const where = placesText(() => [tender.place, districtsText(tender) ?? placeName(tender.state)]);
  return (
    <Panel stack className={css.head}>
      <div className={css.id}>
        <StatusStamp tone={tenderStatusTone(status)} label={tenderStatusLabel(status)} />
        {tender.demonstration && <StatusStamp tone="gray" label={t`Demonstration`} />}
        <span>
          <span lang={langOf(tender.org_name)}>{tender.org_name}</span> · {where}
        </span>
        <span className={css.wide}>{tender.source_tender_id}</span>
        <span className={css.back}>
          <Button look="plain" onClick={onBack}>
            {backLabel}
          </Button>
        </span>
      </div>
      <h1 className={css.title} lang={langOf(tender.title)}>
        {explained}
      </h1>
      {meanings}
      <div className={css.narrow}>
        <ClosingPanel tender={tender} now={now} scale="page" />
        <LastChangeNote tender={tender} now={now} />
        <OtherSourcesNote tender={tender} />
      </div>
      <FactList four>
        <Fact name={t`Estimated value`} look="big">
          {price.text} {price.hint && <small>{price.hint}</small>}
        </Fact>
        <Fact name={<TenderTerm form="EMD" word="emd" />} look="big">
          {tenderAmount(tender.emd, tender)}
        </Fact>
        <Fact name={<TenderTerm form={t`Tender fee`} word="tender-fee" />}>{tenderFeeText(tender)}</Fact>
        <Fact name={t`Bid opening`}>{shortInstantText(tender.opening_date, now)}</Fact>
      </FactList>
    </Panel>
  );
}
