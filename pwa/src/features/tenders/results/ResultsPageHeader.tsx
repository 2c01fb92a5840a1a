import { namesText } from '@nivida/contract/filter/filter-texts';
import { placeFilterParams } from '@nivida/contract/filter/tender-filter';
import { Link } from 'react-router-dom';
import { Icon } from '../../../ui/display/Icon.tsx';
import { FilterButton } from '../filters/FilterButton.tsx';
import css from '../PageHeader.module.css';
import { useShownSearch } from './useResults.ts';

/** From this length on a title has smaller letters and '&', so that its two lines hold the longest name of a state. */
const LONG_TITLE = 32;

/** The page header of a list on a phone, with a link to the filled form and the filter button. */
export function ResultsPageHeader() {
  const search = useShownSearch();
  if (search.state === '' && search.q === '') return null;
  const title = search.q ? `“${search.q}”` : search.state;
  const isLong = title.length >= LONG_TITLE;
  const districts = namesText(search.districts, 'districts');
  const departments = namesText(search.departments, 'departments');
  const chosen = [districts, departments].filter(Boolean);
  const places = chosen.length > 0 ? chosen : ['All districts', 'All departments'];
  const below = search.q ? [[districts, search.state || 'All states'].filter(Boolean).join(', ')] : places;
  return (
    <div className={css.lead}>
      <Link className={css.lead} to={`/tenders?${placeFilterParams(search)}`}>
        <Icon name="back" />
        <span className={css.words}>
          <span className="sr">Change the search: </span>
          <b data-long={isLong || undefined}>{isLong ? title.replaceAll(' and ', ' & ') : title}</b>
          <span className={`xs muted ${css.below}`}>
            {below.map((part, index) => (
              <span key={part}>
                {index > 0 && '\u00a0· '}
                {part}
              </span>
            ))}
          </span>
        </span>
      </Link>
      <FilterButton search={search} />
    </div>
  );
}
