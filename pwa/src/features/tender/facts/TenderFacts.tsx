import { plural, t } from '@lingui/core/macro';
import { i18n } from '@nivida/contract/i18n';
import { portalValueLabel } from '@nivida/contract/tenders/portal-values';
import type { Tender } from '@nivida/contract/tenders/tender';
import { type FactFormat, type FactGroup, TENDER_FIELD_LIST } from '@nivida/contract/tenders/tender-fields';
import { coversText, exemptionText, feeText } from '../labels.ts';
import { Fact } from './FactList.tsx';
import { Term } from './Term.tsx';

/** The meanings of facts whose names are explained when tapped, by the field. */
const meanings = (): Readonly<Record<string, string>> => ({
  covers: t`sealed parts of a bid. With two, the technical documents are opened first, and your rates only if they qualify.`,
  emd_exemption_allowed: t`some small or registered firms need not pay the earnest money deposit. Check the NIT.`,
  tender_fee: t`the price of the tender form, not returned`,
});

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
    const shown = fact.format ? FORMATS[fact.format](value) : value;
    if (group === 'work' && !shown) return null;
    const meaning = meanings()[name];
    const label = i18n._(fact.label);
    return (
      <Fact
        key={name}
        name={meaning ? <Term form={label} meaning={meaning} /> : label}
        look={group === 'offices' ? 'full' : undefined}
      >
        {shown ?? t`Not specified`}
      </Fact>
    );
  });
}
