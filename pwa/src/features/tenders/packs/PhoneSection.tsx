import { formatAge } from '@nivida/contract/format';
import { useEffect, useId, useState } from 'react';
import { useNow } from '../../../data/clock.ts';
import { useDevice } from '../../../data/device.ts';
import { Button } from '../../../ui/Button.tsx';
import { Sheet } from '../../../ui/Sheet.tsx';
import { OnThisPhone } from './OnThisPhone.tsx';
import { startPacks } from './packs.ts';
import { scopeName, searchableScopes, usePacks } from './status.ts';

/** "On this phone" on the search page: what can be searched without signal, and the way to all about it. */
export function PhoneSection() {
  const heading = useId();
  const now = useNow();
  const [isOpen, setIsOpen] = useState(false);
  const packs = usePacks();
  const isKeeping = useDevice(({ state }) => state !== 'unavailable');
  useEffect(() => void startPacks(), []);
  const searchable = searchableScopes(packs);
  return (
    <Sheet aria-labelledby={heading}>
      <div className="head">
        <h2 id={heading} className="s">
          On this phone
        </h2>
        <Button look="plain" aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
          Manage
        </Button>
      </div>
      {!isKeeping && <p className="s muted">This browser keeps nothing: Nivida works here with a connection only.</p>}
      {isKeeping && searchable.length === 0 && (
        <p className="s muted">Search a state, and all its tenders can be searched here without signal.</p>
      )}
      {searchable.map((scope) => {
        const savedAt = packs.scopes[scope]?.row.savedAt;
        return (
          <p key={scope} className="s">
            All tenders of {scopeName(scope)}, searchable without signal.{' '}
            {savedAt !== undefined && <span className="muted">Saved {formatAge(new Date(savedAt), now)}.</span>}
          </p>
        );
      })}
      {isOpen && <OnThisPhone now={now} onClose={() => setIsOpen(false)} />}
    </Sheet>
  );
}
