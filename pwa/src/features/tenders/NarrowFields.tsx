import { formatRupees } from '@nivida/contract/format';
import type { Narrowing, TenderSearch } from '@nivida/contract/list-address';
import { CATEGORIES } from '@nivida/contract/tender';
import { Field, Select } from '../../ui/Field.tsx';
import css from './Results.module.css';

const LAKH = 100_000;
const STEPS = [1, 5, 10, 25, 50, 100, 500, 1_000].map((lakh) => lakh * LAKH);
const WINDOWS: readonly [days: number, words: string][] = [
  [0, 'Today'],
  [3, '3 days'],
  [7, '7 days'],
];

/** The offered choices, with the present one among them also when an address brought another. */
function withPresent(offered: readonly number[], present: number | null): number[] {
  const all = present === null || offered.includes(present) ? offered : [...offered, present];
  return all.toSorted((a, b) => a - b);
}

interface NumberSelectProps {
  label: string;
  any: string;
  value: number | null;
  offered: readonly number[];
  wordsOf: (value: number) => string;
  onChange: (value: number | null) => void;
}

function NumberSelect({ label, any, value, offered, wordsOf, onChange }: NumberSelectProps) {
  return (
    <Field label={label}>
      {(control) => (
        <Select
          {...control}
          value={value ?? ''}
          onChange={({ target }) => onChange(target.value === '' ? null : Number(target.value))}
        >
          <option value="">{any}</option>
          {withPresent(offered, value).map((each) => (
            <option key={each} value={each}>
              {wordsOf(each)}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

/** '₹5 Lakh': the steps are whole, and the selects are narrow. */
const stepWords = (rupees: number) => formatRupees(rupees).replace('.00', '');
const windowWords = (days: number) => WINDOWS.find(([each]) => each === days)?.[1] ?? `${days} days`;

interface NarrowFieldsProps {
  search: TenderSearch;
  onChange: (narrowing: Narrowing) => void;
}

/** Value range, closing window and category. Closed tenders have no days left to choose from. */
export function NarrowFields({ search, onChange }: NarrowFieldsProps) {
  const { min, max, within, category } = search;
  const change = (part: Partial<Narrowing>) => onChange({ min, max, within, category, ...part });
  return (
    <>
      <div className={css.range}>
        <NumberSelect
          label="Value from"
          any="Any"
          value={min}
          offered={STEPS}
          wordsOf={stepWords}
          onChange={(value) => change({ min: value })}
        />
        <NumberSelect
          label="Value to"
          any="Any"
          value={max}
          offered={STEPS}
          wordsOf={stepWords}
          onChange={(value) => change({ max: value })}
        />
      </div>
      {search.open && (
        <NumberSelect
          label="Closing within"
          any="Any time"
          value={within}
          offered={WINDOWS.map(([days]) => days)}
          wordsOf={windowWords}
          onChange={(value) => change({ within: value })}
        />
      )}
      <Field label="Category">
        {(control) => (
          <Select
            {...control}
            value={category ?? ''}
            onChange={({ target }) => change({ category: CATEGORIES.find((each) => each === target.value) ?? null })}
          >
            <option value="">All categories</option>
            {CATEGORIES.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </Select>
        )}
      </Field>
    </>
  );
}
