import { plural } from '@lingui/core/macro';
import { i18n } from '@nivida/contract/i18n';
import { missingValueText } from '@nivida/contract/tenders/missing-value';
import { portalValueLabel } from '@nivida/contract/tenders/portal-values';
import type { Tender } from '@nivida/contract/tenders/tender';
import { type FactFormat, type FactGroup, TENDER_FIELD_LIST } from '@nivida/contract/tenders/tender-fields';
import type { TenderWordId } from '@nivida/contract/words/tender-words';
import { coversText, exemptionText, feeText } from '../labels.ts';
import { Fact } from './FactList.tsx';
import { TenderTerm } from './TenderTerm.tsx';

/** The facts whose names are explained when tapped: the word of each field. */
const WORDS: Readonly<Partial<Record<string, TenderWordId>>> = {
  bid_validity_days: 'validity',
  covers: 'cover',
  emd_exemption_allowed: 'exemption',
  tender_fee: 'tender-fee',
};

const daysText = (count: number | null) =>
  count === null ? null : plural(count, { one: `${count} day`, other: `${count} days` });

const FORMATS: Record<FactFormat, (value: never) => string | null> = {
  days: daysText,
  listed: (value: string | null) => value && portalValueLabel(value),
  covers: coversText,
  fee: feeText,
  exemption: exemptionText,
};

/**
 * The facts of one group of the field table. Facts of the work that the portal does not give are left out.
 */
export function TenderFacts({ tender, group }: { tender: Tender; group: FactGroup }) {
  const values: Partial<Record<string, unknown>> = tender;
  return TENDER_FIELD_LIST.map(({ name, fact }) => {
    if (fact?.group !== group) return null;
    const value = (values[name] ?? null) as never;
    const shown = value === null || !fact.format ? value : FORMATS[fact.format](value);
    if (group === 'work' && !shown) return null;
    const label = i18n._(fact.label);
    const word = WORDS[name];
    return (
      <Fact
        key={name}
        name={word ? <TenderTerm form={label} word={word} /> : label}
        look={group === 'offices' ? 'full' : undefined}
      >
        {shown ?? missingValueText(tender)}
      </Fact>
    );
  });
}
