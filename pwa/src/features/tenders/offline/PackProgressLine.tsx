import { useState } from 'react';
import { usePacks } from '../packs/pack-status.ts';
import { OnThisPhoneDialog } from './OnThisPhoneDialog.tsx';
import css from './offline.module.css';
import { DownloadedAmount, isUnfinished } from './PackProgress.tsx';

/** The progress under a list's count: 'Saving on this phone · 23 KB of 163 KB'; it opens "On this phone". */
export function PackProgressLine({ scope, now }: { scope: string | undefined; now: Date }) {
  const [isOpen, setIsOpen] = useState(false);
  const status = usePacks(({ scopes }) => (scope === undefined ? undefined : scopes[scope]));
  if (!isOpen && (!status || !isUnfinished(status))) return null;
  return (
    <>
      {status && isUnfinished(status) && (
        <button type="button" className={css.copy} aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
          {status.row.isPaused ? 'Download paused' : 'Saving on this phone'}
          <DownloadedAmount status={status} before=" · " />
        </button>
      )}
      {isOpen && <OnThisPhoneDialog now={now} onClose={() => setIsOpen(false)} />}
    </>
  );
}
