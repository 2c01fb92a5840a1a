import { t } from '@lingui/core/macro';
import type { AlertPreferences, AlertPreferencesChange } from '@nivida/contract/push/push';
import { useEffect, useState } from 'react';
import { withDatabase } from '../../../data/device/database.ts';
import { Button } from '../../../ui/Button.tsx';
import css from './MutedList.module.css';

/** Titles of the tenders that are stored on this device, by id. */
function useTenderTitles(ids: readonly string[]): ReadonlyMap<string, string> {
  const [titles, setTitles] = useState<ReadonlyMap<string, string>>(new Map());
  const key = ids.join();
  useEffect(() => {
    const tenderIds = key === '' ? [] : key.split(',');
    withDatabase((db) => db.tenders.bulkGet(tenderIds)).then(
      (rows) => setTitles(new Map(rows.flatMap((row) => (row ? [[row.id, row.tender.title] as const] : [])))),
      () => undefined,
    );
  }, [key]);
  return titles;
}

interface MutedListProps {
  preferences: AlertPreferences;
  /** Names of the saved searches by their ids. */
  searchNames: ReadonlyMap<string, string>;
  disabled: boolean;
  onChange: (change: AlertPreferencesChange) => void;
}

/** The muted tenders and searches of this device, each with a button to unmute it. */
export function MutedList({ preferences, searchNames, disabled, onChange }: MutedListProps) {
  const { mutedTenders, mutedSearches } = preferences;
  const titles = useTenderTitles(mutedTenders);
  const withoutId = (ids: readonly string[], id: string) => ids.filter((each) => each !== id);
  const rows = [
    ...mutedTenders.map((id) => ({
      id,
      name: titles.get(id) ?? t`Tender ${id}`,
      change: { mutedTenders: withoutId(mutedTenders, id) },
    })),
    ...mutedSearches.map((id) => ({
      id,
      name: searchNames.get(id) ?? t`A search that was deleted`,
      change: { mutedSearches: withoutId(mutedSearches, id) },
    })),
  ];
  if (rows.length === 0) return null;
  return (
    <section aria-label={t`Muted`}>
      <h3 className="s">{t`Muted here`}</h3>
      <ul className={css.muted}>
        {rows.map(({ id, name, change }) => (
          <li key={id}>
            <span className="s clamp">{name}</span>
            <Button look="plain" disabled={disabled} aria-label={t`Unmute ${name}`} onClick={() => onChange(change)}>
              {t`Unmute`}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
