import { t } from '@lingui/core/macro';
import type { Tender } from '@nivida/contract/tenders/tender';
import { type FactFormat, type FactGroup, TENDER_FIELD_LIST } from '@nivida/contract/tenders/tender-fields';
import { coversText, exemptionText, feeText } from '../labels.ts';
import { Fact } from './FactList.tsx';
import { Term } from './Term.tsx';

/** Facts whose names are explained when tapped. */
const MEANINGS: Readonly<Record<string, string>> = {
  Covers:
    'sealed parts of a bid. With two, the technical documents are opened first, and your rates only if they qualify.',
  'EMD exemption': 'some small or registered firms need not pay the earnest money deposit. Check the NIT.',
  'Tender fee': 'the price of the tender form, not returned',
};

const FORMATS: Record<FactFormat, (value: never) => string | null> = {
  days: (count: number | null) => (count === null ? null : `${count} ${count === 1 ? 'day' : 'days'}`),
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
    const shown = fact.format ? FORMATS[fact.format](value) : value;
    if (group === 'work' && !shown) return null;
    return (
      <Fact
        key={name}
        name={fact.label in MEANINGS ? <Term meaning={MEANINGS[fact.label]}>{fact.label}</Term> : fact.label}
        look={group === 'offices' ? 'full' : undefined}
      >
        {shown ?? t`Not specified`}
      </Fact>
    );
  });
}
