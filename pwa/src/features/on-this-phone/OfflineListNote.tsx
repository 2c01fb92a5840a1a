import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { formatAge } from '@nivida/contract/format';
import { HOUR_MS } from '@nivida/contract/time';
import { useState } from 'react';
import { usePacks } from '../../offline/packs/pack-status.ts';
import type { LocalList } from '../../offline/queries/useLocalList.ts';
import { Icon } from '../../ui/display/Icon.tsx';
import { LazyOnThisPhone } from './LazyOnThisPhone.tsx';
import css from './offline.module.css';

/** When a pack is older than this, closing dates may be outdated. */
const OUTDATED_AFTER_MS = 6 * HOUR_MS;

interface OfflineListNoteProps {
  local: LocalList;
  /** The search has words. An incomplete pack finds only some of the tenders with these words. */
  hasWords: boolean;
  now: Date;
}

/** The note that a list comes from the device, with its age. It opens "On this phone". */
export function OfflineListNote({ local, hasWords, now }: OfflineListNoteProps) {
  const [isOpen, setIsOpen] = useState(false);
  const savedAt = usePacks(({ scopes }) =>
    Math.min(...local.scope.split(' ').map((scope) => scopes[scope]?.row.savedAt ?? 0)),
  );
  const age = formatAge(new Date(savedAt), now);
  const isOld = now.getTime() - savedAt > OUTDATED_AFTER_MS;
  const isPartial = hasWords && !local.isComplete;
  return (
    <>
      <button
        type="button"
        className={css.copy}
        data-tone={isOld ? 'amber' : undefined}
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
      >
        <Icon name="phone" small />{' '}
        {isPartial ? (
          // It is in the line of the age, which appears together with the list, so that the cards do not
          // move.
          <Trans>
            Titles and places<span className={css.wide}> only, while the rest downloads</span>
          </Trans>
        ) : (
          <>
            <Trans>
              <span className={css.wide}>Offline copy · </span>Saved {age}
            </Trans>
            {isOld && ` · ${t`dates may have changed`}`}
          </>
        )}
      </button>
      <LazyOnThisPhone isOpen={isOpen} now={now} onClose={() => setIsOpen(false)} />
    </>
  );
}
