import { useEffect } from 'react';
import { Icon } from '../../ui/Icon.tsx';
import { showToast } from '../../ui/toast.ts';
import { filterOf, keyOf, type ListedSearch } from './filter.ts';
import css from './SaveSearchButton.module.css';
import { useSavedSearches } from './useSavedSearches.ts';

interface SaveSearchButtonProps {
  search: ListedSearch;
  /** The list that is shown; each new one has its hits noted as seen. Undefined while it loads. */
  shown: object | undefined;
  /** The highest id of the tenders that match now. */
  findHighestId: () => Promise<number>;
}

/** Saves the search of a list, or lets it go again; to see the list of a saved search is to have opened it. */
export function SaveSearchButton({ search, shown, findHighestId }: SaveSearchButtonProps) {
  const { searches } = useSavedSearches();
  const filter = filterOf(search);
  const saved = searches?.find((row) => keyOf(row.filter) === keyOf(filter));

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each list that is shown
  useEffect(() => {
    if (!saved || !shown) return;
    void Promise.all([findHighestId(), import('./press.ts')]).then(
      ([highestId, { noteOpened }]) => noteOpened(saved, highestId),
      () => undefined, // noted the next time
    );
  }, [saved?.id, shown]);

  async function press() {
    try {
      const { pressDelete, pressSave } = await import('./press.ts');
      await (saved ? pressDelete(saved) : pressSave(filter, await findHighestId()));
    } catch {
      showToast({ text: 'Failed to save the search' });
    }
  }

  return (
    <button type="button" className={css.save} aria-pressed={saved !== undefined} onClick={() => void press()}>
      <Icon name="keep" small /> <span className={css.words}>Save search</span>
    </button>
  );
}
