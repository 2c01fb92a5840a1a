import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { currentTime } from '../../data/clock.ts';
import type { RecordRow } from '../../data/device/schema.ts';
import { useRecords } from '../../data/records/useRecords.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/display/Icon.tsx';
import css from './firms.module.css';

async function remove(id: string): Promise<void> {
  const { removeRecord } = await import('../../data/records/records.ts');
  await removeRecord('sharedSearch', id, currentTime().getTime());
}

/** The searches that the shown firm shares. `renderFollow` renders a button with which a member gets alerts for one. */
export function SharedSearches({ renderFollow }: { renderFollow: (search: RecordRow<'sharedSearch'>) => ReactNode }) {
  const searches = useRecords('sharedSearch') ?? [];
  return (
    <>
      <h3>{t`Shared searches`}</h3>
      {searches.length === 0 && (
        <p className="s muted">{t`None yet. “Share with a firm” beside a saved search puts it here for all members.`}</p>
      )}
      {searches.length > 0 && (
        <ul className={css.members}>
          {searches.map((search) => {
            const { name = '', query = '' } = search.fields;
            return (
              <li key={search.id} className={css.search}>
                <p className={css.name}>
                  <Link to={`/tenders/results?${query}`}>{name}</Link>
                </p>
                <div className="row">
                  {renderFollow(search)}
                  <Button
                    look="icon"
                    aria-label={t`Remove ${name} from the firm`}
                    onClick={() => void remove(search.id)}
                  >
                    <Icon name="close" small />
                  </Button>
                </div>
              </li>
            );
          })}
        </ul>
      )}
    </>
  );
}
