import { t } from '@lingui/core/macro';
import { Disclosure } from '../../../ui/display/Disclosure.tsx';
import { ChoiceField } from '../../../ui/form/Field.tsx';
import { type BidFilter, filterChoices, type ListedBid, monthLabel } from '../rules/bid-list.ts';
import css from './BidBoard.module.css';

/**
 * Filters the bids by the month of closing and by office. Renders nothing while there is nothing to choose.
 */
export function BidFilters(props: {
  bids: readonly ListedBid[];
  filter: BidFilter;
  onChange: (filter: BidFilter) => void;
}) {
  const { bids, filter, onChange } = props;
  const { months, offices } = filterChoices(bids);
  if (months.length < 2 && offices.length < 2 && filter.month === '' && filter.office === '') return null;
  return (
    <Disclosure title={t`Filter by month and office`}>
      <div className={css.filters}>
        <ChoiceField
          label={t`Closing in`}
          value={filter.month}
          onChange={({ target }) => onChange({ ...filter, month: target.value })}
          empty={t`All months`}
          options={months.map((month) => [month, monthLabel(month)])}
        />
        <ChoiceField
          label={t`Office`}
          value={filter.office}
          onChange={({ target }) => onChange({ ...filter, office: target.value })}
          empty={t`All offices`}
          options={offices}
        />
      </div>
    </Disclosure>
  );
}
