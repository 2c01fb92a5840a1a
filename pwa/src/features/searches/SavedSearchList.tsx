import { t } from '@lingui/core/macro';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router-dom';
import type { SavedSearchRow } from '../../data/device/schema.ts';
import { currentOwner } from '../../data/session.ts';
import { deleteMutation, recordMutation } from '../../data/unsaved-mutations.ts';
import { Button } from '../../ui/Button.tsx';
import { Badge } from '../../ui/display/Badge.tsx';
import { Icon } from '../../ui/display/Icon.tsx';
import { showToast } from '../../ui/feedback/toast.ts';
import { RenameDialog } from './RenameDialog.tsx';
import css from './SavedSearchList.module.css';
import { filterQuery } from './search-filter.ts';

interface SavedSearchListProps {
  searches: readonly SavedSearchRow[];
  /** Number of new hits by a search's id. A search that could not be counted is absent. */
  hits: ReadonlyMap<string, number>;
  /** Shows the buttons that rename and delete a search. */
  isManaged?: boolean;
  /** More actions after "Rename". */
  renderMore?: (search: SavedSearchRow) => ReactNode;
}

/** The number of new hits. Renders nothing when they could not be counted. */
function HitCount({ count }: { count: number | undefined }) {
  if (count === undefined) return null;
  return count === 0 ? <span className="muted">{t`Nothing new`}</span> : <Badge tone="blue">{t`${count} new`}</Badge>;
}

async function deleteOnClick(row: SavedSearchRow): Promise<void> {
  const subject = filterQuery(row.filter);
  const mutation = recordMutation({ kind: 'search', owner: row.owner, subject, wanted: false });
  try {
    const { deleteSearchAndSend } = await import('./search-actions.ts');
    await deleteSearchAndSend(row);
  } catch {
    showToast({ text: t`Failed to delete the search` });
  } finally {
    deleteMutation(mutation);
  }
}

/** Saved searches with links to their results. */
export function SavedSearchList({ searches, hits, isManaged, renderMore }: SavedSearchListProps) {
  const [renamed, setRenamed] = useState<SavedSearchRow | null>(null);
  const owner = currentOwner();
  return (
    <>
      <ul className={`${css.searches} entries`}>
        {searches.map((row) => (
          <li key={row.id}>
            <Link to={`/tenders/results?${filterQuery(row.filter)}`}>
              <span className={css.name}>{row.name}</span>
              <HitCount count={hits.get(row.id)} />
            </Link>
            {isManaged && (
              <>
                <Button look="plain" aria-label={t`Rename ${row.name}`} onClick={() => setRenamed(row)}>
                  {t`Rename`}
                </Button>
                {renderMore?.(row)}
                <Button look="icon" aria-label={t`Delete ${row.name}`} onClick={() => void deleteOnClick(row)}>
                  <Icon name="close" small />
                </Button>
              </>
            )}
            {row.refusal && (
              <p className={css.hint}>{t`On this phone only. ${row.refusal}: delete another one to save it.`}</p>
            )}
            {row.owner !== owner && <p className={css.hint}>{t`Sign in to sync`}</p>}
          </li>
        ))}
      </ul>
      {renamed && <RenameDialog search={renamed} onClose={() => setRenamed(null)} />}
    </>
  );
}
