import { useState } from 'react';
import { LazyOnThisPhone } from '../on-this-phone/LazyOnThisPhone.tsx';
import { usePacks } from '../packs/pack-status.ts';
import css from './offline.module.css';
import { DownloadedAmount, isUnfinished } from './PackProgress.tsx';

interface PackProgressLineProps {
  scope: string | undefined;
  now: Date;
  /** The line is not needed now; its open dialog stays. */
  isHidden: boolean;
}

/** The progress under a list's count: 'Saving on this phone · 23 KB of 163 KB', shorter on a phone; it opens "On this phone". */
export function PackProgressLine({ scope, now, isHidden }: PackProgressLineProps) {
  const [isOpen, setIsOpen] = useState(false);
  const status = usePacks(({ scopes }) => (scope === undefined ? undefined : scopes[scope]));
  return (
    <>
      {!isHidden && status && isUnfinished(status) && (
        <button
          type="button"
          className={`${css.copy} ${css.progressLine}`}
          aria-haspopup="dialog"
          onClick={() => setIsOpen(true)}
        >
          {status.row.isPaused ? (
            'Download paused'
          ) : (
            <>
              Saving<span className={css.wide}> on this phone</span>
              <DownloadedAmount status={status} before=" · " />
            </>
          )}
        </button>
      )}
      <LazyOnThisPhone isOpen={isOpen} now={now} onClose={() => setIsOpen(false)} />
    </>
  );
}
