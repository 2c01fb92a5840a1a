import { type ReactNode, useState } from 'react';
import { Link } from 'react-router-dom';
import type { SearchRow } from '../../data/db.ts';
import { currentOwner } from '../../data/session.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { queryOf } from './filter.ts';
import { RenameDialog } from './RenameDialog.tsx';
import css from './SavedSearchList.module.css';

interface SavedSearchListProps {
  searches: readonly SearchRow[];
  /** New hits by a search's id; one that could not be counted is absent. */
  hits: ReadonlyMap<string, number>;
  /** With the buttons that rename and delete. */
  isManaged?: boolean;
  /** What else can be done with a search, after renaming it. */
  renderMore?: (search: SearchRow) => ReactNode;
}

/** New hits, in words; nothing where nobody could count them. */
function Hits({ count }: { count: number | undefined }) {
  if (count === undefined) return null;
  return count === 0 ? <span className="muted">Nothing new</span> : <Badge tone="blue">{count} new</Badge>;
}

/** Saved searches, each leading to its results. */
export function SavedSearchList({ searches, hits, isManaged, renderMore }: SavedSearchListProps) {
  const [renamed, setRenamed] = useState<SearchRow | null>(null);
  const owner = currentOwner();
  return (
    <>
      <ul className={css.searches}>
        {searches.map((row) => (
          <li key={row.id}>
            <Link to={`/tenders/results?${queryOf(row.filter)}`}>
              <span className={css.name}>{row.name}</span>
              <Hits count={hits.get(row.id)} />
            </Link>
            {isManaged && (
              <>
                <Button look="plain" aria-label={`Rename ${row.name}`} onClick={() => setRenamed(row)}>
                  Rename
                </Button>
                {renderMore?.(row)}
                <Button
                  look="icon"
                  aria-label={`Delete ${row.name}`}
                  onClick={() => void import('./press.ts').then(({ pressDelete }) => pressDelete(row))}
                >
                  <Icon name="close" small />
                </Button>
              </>
            )}
            {row.refusal && <p className={css.hint}>On this phone only. {row.refusal}: delete one to keep it.</p>}
            {row.owner !== owner && <p className={css.hint}>Sign in to sync</p>}
          </li>
        ))}
      </ul>
      {renamed && <RenameDialog search={renamed} onClose={() => setRenamed(null)} />}
    </>
  );
}
