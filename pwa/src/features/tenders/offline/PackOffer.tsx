import { formatBytes } from '@nivida/contract/format';
import { INDIA_SCOPE } from '@nivida/contract/sync/sync';
import { useEffect, useState } from 'react';
import { isMeteredConnection } from '../../../data/device/connection.ts';
import { useDatabaseState } from '../../../data/device/database.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Panel } from '../../../ui/display/Panel.tsx';
import { useOnline } from '../../../ui/useOnline.ts';
import { scopeName, scopeOfState, usePacks } from '../packs/pack-status.ts';
import { savePack, savePackAutomatically } from '../packs/packs.ts';
import { isUnfinished, PackProgress } from './PackProgress.tsx';
import { usePackSize } from './usePackSize.ts';

/** Calls `callback` at the first touch or key, at once when there was one already. Returns the unsubscribe function. */
function onFirstInteraction(callback: () => void): () => void {
  if (navigator.userActivation?.hasBeenActive) callback();
  const waiting = new AbortController();
  const options = { signal: waiting.signal, once: true, passive: true };
  if (!navigator.userActivation?.hasBeenActive) {
    window.addEventListener('pointerdown', callback, options);
    window.addEventListener('keydown', callback, options);
  }
  return () => waiting.abort();
}

interface PackOfferProps {
  /** Listed name or slug; '' for a search across states. */
  state: string;
  /** The pack is fetched after the list, so they do not share the connection. */
  isListShown: boolean;
}

/**
 * Saves the state of a list on the device: automatically after the first touch on an unmetered connection, else by a
 * button that shows the size. Then shows the progress. Another state is replaced only after a confirmation.
 */
export function PackOffer({ state, isListShown }: PackOfferProps) {
  const scope = state === '' ? undefined : scopeOfState(state);
  const isOnline = useOnline();
  const canSave = useDatabaseState((device) => device.state !== 'unavailable');
  const { isRead, scopes } = usePacks();
  const status = scope === undefined ? undefined : scopes[scope];
  const other = Object.keys(scopes).find((each) => each !== INDIA_SCOPE && each !== scope);
  const isMissing = isRead && canSave && scope !== undefined && !status && !(INDIA_SCOPE in scopes);
  const saves = isMissing && other === undefined && isListShown && isOnline && !isMeteredConnection();

  useEffect(() => {
    if (!saves || scope === undefined) return;
    return onFirstInteraction(() => void savePackAutomatically(scope).catch(() => undefined));
  }, [saves, scope]);

  if (status)
    return (
      isUnfinished(status) && (
        <Panel>
          <PackProgress status={status} />
        </Panel>
      )
    );
  // A pack that is saved automatically at the next touch needs no button.
  if (!isMissing || saves || !isListShown || !isOnline) return null;
  return (
    <Panel>
      <SaveButton scope={scope} replaces={other} />
    </Panel>
  );
}

/** The button that saves a scope. It confirms before another state is replaced. */
export function SaveButton({ scope, replaces }: { scope: string; replaces: string | undefined }) {
  const [isConfirming, setIsConfirming] = useState(false);
  const size = usePackSize(scope);
  const save = () => {
    setIsConfirming(false);
    void savePack(scope).catch(() => undefined);
  };
  const name = scopeName(scope);
  return (
    <>
      <Button onClick={replaces === undefined ? save : () => setIsConfirming(true)}>
        Save {name} on this phone{size && ` · ${formatBytes(size.bytes)}`}
      </Button>
      {isConfirming && replaces !== undefined && (
        <Dialog title={`Save ${name}?`} onClose={() => setIsConfirming(false)}>
          <p>
            This phone keeps one state. {name} takes the place of {scopeName(replaces)} as soon as it is here.
            Bookmarked tenders stay.
          </p>
          <div className="row">
            <Button look="main" onClick={save}>
              Save {name}
            </Button>
            <Button onClick={() => setIsConfirming(false)}>Keep {scopeName(replaces)}</Button>
          </div>
        </Dialog>
      )}
    </>
  );
}
