import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { toSavedFilter } from '@nivida/contract/filter/saved-filter';
import type { TenderFilter } from '@nivida/contract/filter/tender-filter';
import { useEffect } from 'react';
import { usePreload } from '../../data/preload.ts';
import { currentOwner } from '../../data/session.ts';
import { deleteMutation, recordMutation, type UnsavedMutation } from '../../data/unsaved-mutations.ts';
import { Icon } from '../../ui/display/Icon.tsx';
import { showToast } from '../../ui/feedback/toast.ts';
import { useSwitch } from '../../ui/form/useSwitch.ts';
import css from './SaveSearchButton.module.css';
import { filterKey, filterQuery } from './search-filter.ts';
import { useSavedSearches } from './useSavedSearches.ts';

const loadActions = () => import('./search-actions.ts');

interface SaveSearchButtonProps {
  search: TenderFilter;
  /** The visible list; undefined while it loads. The hits of each new list are marked as seen. */
  shown: object | undefined;
  /** The highest id of the tenders on the screen. */
  seenUpTo: number;
  /** The highest id of the tenders that match now. */
  findHighestId: () => Promise<number>;
}

/**
 * Saves the search of a list, or deletes it; a tap shows at once. Showing the list of a saved search marks
 * the search as opened.
 */
export function SaveSearchButton({ search, shown, seenUpTo, findHighestId }: SaveSearchButtonProps) {
  usePreload(loadActions);
  const { searches } = useSavedSearches();
  const filter = toSavedFilter(search);
  const query = filterQuery(filter);
  const saved = searches?.find((row) => filterKey(row.filter) === filterKey(filter));

  const { isPressed, press } = useSwitch(saved !== undefined);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `shown` is another object for each visible list, which is marked once
  useEffect(() => {
    if (!saved || !shown) return;
    void Promise.all([findHighestId(), loadActions()]).then(
      ([highestId, { markOpenedAndSend }]) => markOpenedAndSend(saved, highestId),
      () => undefined, // The next visit tries again.
    );
  }, [saved?.id, shown]);

  async function store(mutation: UnsavedMutation): Promise<boolean> {
    const { wanted } = mutation;
    try {
      const { deleteSearchOfFilterAndSend, saveSearchAndSend } = await loadActions();
      return await (wanted ? saveSearchAndSend(filter, await findHighestId()) : deleteSearchOfFilterAndSend(filter));
    } catch {
      showToast({ text: wanted ? t`Failed to save the search` : t`Failed to delete the search` });
      return false;
    } finally {
      deleteMutation(mutation);
    }
  }

  return (
    <button
      type="button"
      className={css.save}
      aria-pressed={isPressed}
      data-search={query}
      data-seen={seenUpTo}
      onClick={() => {
        const owner = currentOwner();
        const mutation = recordMutation({ kind: 'search', owner, subject: query, wanted: !isPressed, seenUpTo });
        press(() => store(mutation));
      }}
    >
      <Icon name="bell" small />{' '}
      <Trans>
        Save<span className={css.more}> search</span>
      </Trans>
    </button>
  );
}
