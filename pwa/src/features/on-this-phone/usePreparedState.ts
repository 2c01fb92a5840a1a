/** Prepares the state of a screen for use without a connection. */
import { useEffect } from 'react';
import { isMeteredConnection } from '../../data/device/connection.ts';
import { useDatabaseState } from '../../data/device/database.ts';
import { whenUsed } from '../../data/when-used.ts';
import { scopeOfState, usePacks } from '../../offline/packs/pack-status.ts';
import { canSaveAutomatically, savePackAutomatically, startPacks } from '../../offline/packs/packs.ts';
import { useOnline } from '../../ui/browser-state.ts';

/**
 * Saves the state ('' for none) on an unmetered connection once the visitor uses the page. `isShown` is true
 * when the page's own content has loaded, so that the two do not share the connection. Returns true when the
 * state is saved without a button.
 */
export function usePreparedState(state: string, isShown: boolean): boolean {
  const scope = state === '' ? undefined : scopeOfState(state);
  const isOnline = useOnline();
  const canSave = useDatabaseState((device) => device.state !== 'unavailable');
  const isDue = usePacks(({ isRead }) => isRead && scope !== undefined && canSaveAutomatically(scope));
  const prepares = isDue && canSave && isShown && isOnline && !isMeteredConnection();
  useEffect(() => void startPacks(), []);

  useEffect(() => {
    if (!prepares || scope === undefined) return;
    return whenUsed(() => void savePackAutomatically(scope).catch(() => undefined));
  }, [prepares, scope]);
  return prepares;
}
