import { t } from '@lingui/core/macro';
import { formatAge } from '@nivida/contract/format';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { useNow } from '../../data/clock.ts';
import { useDatabaseState } from '../../data/device/database.ts';
import { storageAdvice } from '../../data/device/storage-advice.ts';
import { scopeName, searchableScopes, usePacks } from '../../offline/packs/pack-status.ts';
import { startPacks } from '../../offline/packs/packs.ts';
import { Button } from '../../ui/Button.tsx';
import { Panel } from '../../ui/display/Panel.tsx';
import { LazyOnThisPhone } from './LazyOnThisPhone.tsx';

interface OnThisPhoneSectionProps {
  /** A line with the state of this phone's alerts. */
  alertState: ReactNode;
  /** The settings of this phone's alerts, for the dialog. */
  alerts: ReactNode;
}

/** "On this phone": the offline packs, the state of closing alerts, and the button that opens the dialog. */
export function OnThisPhoneSection({ alertState, alerts }: OnThisPhoneSectionProps) {
  const heading = useId();
  const now = useNow();
  const [isOpen, setIsOpen] = useState(false);
  const packs = usePacks();
  const isSavingPossible = useDatabaseState(({ state }) => state !== 'unavailable');
  useEffect(() => void startPacks(), []);
  const searchable = searchableScopes(packs);
  return (
    <Panel aria-labelledby={heading}>
      <div className="head">
        <h2 id={heading} className="s">
          {t`On this phone`}
        </h2>
        <Button look="plain" aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
          {t`Manage`}
        </Button>
      </div>
      {!isSavingPossible && <p className="s muted">{storageAdvice()}</p>}
      {isSavingPossible && searchable.length === 0 && (
        <p className="s muted">{t`Search a state to save it for use without a connection.`}</p>
      )}
      {searchable.map((scope) => {
        const savedAt = packs.scopes[scope]?.row.savedAt;
        return (
          <p key={scope} className="s">
            {t`All tenders of ${{ state: scopeName(scope) }} are here. Search them without a connection.`}{' '}
            {savedAt !== undefined && (
              <span className="muted">{t`Saved ${{ age: formatAge(new Date(savedAt), now) }}.`}</span>
            )}
          </p>
        );
      })}
      {alertState}
      <LazyOnThisPhone isOpen={isOpen} now={now} alerts={alerts} onClose={() => setIsOpen(false)} />
    </Panel>
  );
}
