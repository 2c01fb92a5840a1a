import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { useHasConnection } from '../../data/server/reachability.ts';
import { type PackStatus, usePacks } from '../../offline/packs/pack-status.ts';
import { LazyOnThisPhone } from './LazyOnThisPhone.tsx';
import css from './offline.module.css';
import { DownloadedAmount, isCurrentComplete, isUnfinished, standstillText, useIsHeldBack } from './PackProgress.tsx';

interface PackProgressLineProps {
  scope: string | undefined;
  now: Date;
  /** Hides the line. Its open dialog stays. */
  isHidden: boolean;
  /**
   * The state's name, for a page that is not the state's list. With a name the line stays when the state is
   * complete.
   */
  name?: string;
}

function LineText({ status, name }: { status: PackStatus; name: string | undefined }) {
  const hasConnection = useHasConnection();
  const reason = standstillText(status, hasConnection, useIsHeldBack());
  if (name !== undefined && isCurrentComplete(status)) return t`${name} is on this phone`;
  if (status.row.isPaused) return name === undefined ? t`Download paused` : t`Download of ${name} paused`;
  if (reason !== '') return name === undefined ? reason : `${t`${name} is not yet complete on this phone.`} ${reason}`;
  return (
    <>
      {name === undefined ? (
        <Trans>
          Saving<span className={css.wide}> on this phone</span>
        </Trans>
      ) : (
        <Trans>
          Saving {name}
          <span className={css.wide}> on this phone</span>
        </Trans>
      )}
      <DownloadedAmount status={status} before=" · " />
    </>
  );
}

/**
 * The progress under a list's count: 'Saving on this phone · 23 KB of 163 KB', shorter on a phone. It opens
 * "On this phone".
 */
export function PackProgressLine({ scope, now, isHidden, name }: PackProgressLineProps) {
  const [isOpen, setIsOpen] = useState(false);
  const status = usePacks(({ scopes }) => (scope === undefined ? undefined : scopes[scope]));
  return (
    <>
      {!isHidden && status && (name !== undefined || isUnfinished(status)) && (
        <button
          type="button"
          className={`${css.copy} ${css.progressLine}`}
          aria-haspopup="dialog"
          onClick={() => setIsOpen(true)}
        >
          <LineText status={status} name={name} />
        </button>
      )}
      <LazyOnThisPhone isOpen={isOpen} now={now} onClose={() => setIsOpen(false)} />
    </>
  );
}
