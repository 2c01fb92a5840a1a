import { useEffect } from 'react';
import { Icon } from '../../ui/display/Icon.tsx';
import { showToast } from '../../ui/feedback/toast.ts';
import css from './SaveSearchButton.module.css';
import { filterKey, type ListFilterValues, savedFilterOf } from './search-filter.ts';
import { useSavedSearches } from './useSavedSearches.ts';

interface SaveSearchButtonProps {
  search: ListFilterValues;
  /** The list that is shown; each new one has its hits noted as seen. Undefined while it loads. */
  shown: object | undefined;
  /** The highest id of the tenders that match now. */
  findHighestId: () => Promise<number>;
}

/** Saves the search of a list, or lets it go again; to see the list of a saved search is to have opened it. */
export function SaveSearchButton({ search, shown, findHighestId }: SaveSearchButtonProps) {
  const { searches } = useSavedSearches();
  const filter = savedFilterOf(search);
  const saved = searches?.find((row) => filterKey(row.filter) === filterKey(filter));

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each list that is shown
  useEffect(() => {
    if (!saved || !shown) return;
    void Promise.all([findHighestId(), import('./search-actions.ts')]).then(
      ([highestId, { markOpenedAndSend: noteOpened }]) => noteOpened(saved, highestId),
      () => undefined, // noted the next time
    );
  }, [saved?.id, shown]);

  async function toggleSaved() {
    try {
      const { deleteSearchAndSend, saveSearchAndSend } = await import('./search-actions.ts');
      await (saved ? deleteSearchAndSend(saved) : saveSearchAndSend(filter, await findHighestId()));
    } catch {
      showToast({ text: 'Failed to save the search' });
    }
  }

  return (
    <button type="button" className={css.save} aria-pressed={saved !== undefined} onClick={() => void toggleSaved()}>
      <Icon name="keep" small /> <span className={css.words}>Save search</span>
    </button>
  );
}
