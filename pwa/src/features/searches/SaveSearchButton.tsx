import { type TenderFilter, toSavedFilter } from '@nivida/contract/filter/tender-filter';
import { useEffect } from 'react';
import { usePreload } from '../../data/preload.ts';
import { Icon } from '../../ui/display/Icon.tsx';
import { showToast } from '../../ui/feedback/toast.ts';
import { useSwitch } from '../../ui/form/useSwitch.ts';
import css from './SaveSearchButton.module.css';
import { filterKey } from './search-filter.ts';
import { useSavedSearchesOnceUsed } from './useSavedSearches.ts';

const loadActions = () => import('./search-actions.ts');

interface SaveSearchButtonProps {
  search: TenderFilter;
  /** The visible list, undefined while it loads. The hits of each new list are marked as seen. */
  shown: object | undefined;
  /** The highest id of the tenders that match now. */
  findHighestId: () => Promise<number>;
}

/** Saves the search of a list, or deletes it; a press shows at once. Showing the list of a saved search marks it as opened. */
export function SaveSearchButton({ search, shown, findHighestId }: SaveSearchButtonProps) {
  usePreload(loadActions);
  const { searches } = useSavedSearchesOnceUsed();
  const filter = toSavedFilter(search);
  const saved = searches?.find((row) => filterKey(row.filter) === filterKey(filter));

  const { isPressed, press } = useSwitch(saved !== undefined);

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for each visible list
  useEffect(() => {
    if (!saved || !shown) return;
    void Promise.all([findHighestId(), loadActions()]).then(
      ([highestId, { markOpenedAndSend }]) => markOpenedAndSend(saved, highestId),
      () => undefined, // The next visit marks it.
    );
  }, [saved?.id, shown]);

  async function setSaved(wanted: boolean): Promise<void> {
    try {
      const { deleteSearchOfFilterAndSend, saveSearchAndSend } = await loadActions();
      await (wanted ? saveSearchAndSend(filter, await findHighestId()) : deleteSearchOfFilterAndSend(filter));
    } catch {
      showToast({ text: wanted ? 'Failed to save the search' : 'Failed to delete the search' });
    }
  }

  return (
    <button type="button" className={css.save} aria-pressed={isPressed} onClick={() => press(setSaved)}>
      <Icon name="bell" small /> Save<span className={css.more}> search</span>
    </button>
  );
}
