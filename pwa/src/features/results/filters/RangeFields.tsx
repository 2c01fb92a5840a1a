import { plural, t } from '@lingui/core/macro';
import { rupeesText } from '@nivida/contract/filter/filter-texts';
import type { TenderListQuery } from '@nivida/contract/filter/tender-filter';
import { portalValueLabel } from '@nivida/contract/tenders/portal-values';
import { TENDER_CATEGORIES } from '@nivida/contract/tenders/tender';
import { Checkbox } from '../../../ui/form/Checkbox.tsx';
import { ChoiceField } from '../../../ui/form/Field.tsx';
import type { RangeFilter } from '../../search/search.ts';
import css from '../Results.module.css';

const LAKH_RUPEES = 100_000;
const PRICE_STEPS = [1, 5, 10, 25, 50, 100, 500, 1_000].map((lakh) => lakh * LAKH_RUPEES);
const CLOSING_WINDOWS_DAYS = [0, 3, 7];

const SINCE_YESTERDAY = 1;
const PUBLICATION_WINDOWS_DAYS = [0, SINCE_YESTERDAY, 3, 7, 30];

/**
 * The offered choices and the current one. The current one may come from an address and not be among them.
 */
function withCurrentValue(offered: readonly number[], present: number | null): number[] {
  const all = present === null || offered.includes(present) ? offered : [...offered, present];
  return all.toSorted((a, b) => a - b);
}

interface NumberSelectProps {
  label: string;
  /** The parameter in the list's address. */
  name: string;
  any: string;
  value: number | null;
  offered: readonly number[];
  labelOf: (value: number) => string;
  onChange: (value: number | null) => void;
}

function NumberSelect({ label, name, any, value, offered, labelOf, onChange }: NumberSelectProps) {
  return (
    <ChoiceField
      label={label}
      name={name}
      value={value ?? ''}
      onChange={({ target }) => onChange(target.value === '' ? null : Number(target.value))}
      empty={any}
      options={withCurrentValue(offered, value).map((each) => [String(each), labelOf(each)])}
    />
  );
}

function publicationWindowLabel(days: number): string {
  if (days === 0) return t`Today`;
  return days === SINCE_YESTERDAY ? t`Yesterday` : t`${days} days ago`;
}

const closingWindowLabel = (days: number) => (days === 0 ? t`Today` : plural(days, { one: '# day', other: '# days' }));

interface RangeFieldsProps {
  search: TenderListQuery;
  onChange: (changed: Partial<RangeFilter>) => void;
}

/**
 * Value range, closing window, publication window and category. For closed tenders there is no closing
 * window.
 */
export function RangeFields({ search, onChange }: RangeFieldsProps) {
  const { min, max, within, hour, publishedWithin, category } = search;
  return (
    <>
      <div className={css.range}>
        <NumberSelect
          label={t`Value from`}
          name="min"
          any={t`Any`}
          value={min}
          offered={PRICE_STEPS}
          labelOf={rupeesText}
          onChange={(value) => onChange({ min: value })}
        />
        <NumberSelect
          label={t`Value to`}
          name="max"
          any={t`Any`}
          value={max}
          offered={PRICE_STEPS}
          labelOf={rupeesText}
          onChange={(value) => onChange({ max: value })}
        />
      </div>
      {search.open && (
        <NumberSelect
          label={t`Closing within`}
          name="within"
          any={t`Any time`}
          value={hour === null ? within : 0}
          offered={CLOSING_WINDOWS_DAYS}
          labelOf={closingWindowLabel}
          onChange={(value) => onChange({ within: value, hour: null })}
        />
      )}
      <Checkbox
        checked={publishedWithin === SINCE_YESTERDAY}
        onChange={({ target }) => onChange({ publishedWithin: target.checked ? SINCE_YESTERDAY : null })}
      >
        {t`New since yesterday`}
      </Checkbox>
      <NumberSelect
        label={t`Published since`}
        name="published_within"
        any={t`Any time`}
        value={publishedWithin}
        offered={PUBLICATION_WINDOWS_DAYS}
        labelOf={publicationWindowLabel}
        onChange={(value) => onChange({ publishedWithin: value })}
      />
      <ChoiceField
        label={t`Category`}
        name="category"
        value={category ?? ''}
        onChange={({ target }) =>
          onChange({ category: TENDER_CATEGORIES.find((each) => each === target.value) ?? null })
        }
        empty={t`All categories`}
        options={TENDER_CATEGORIES.map((each) => [each, portalValueLabel(each)])}
      />
    </>
  );
}
