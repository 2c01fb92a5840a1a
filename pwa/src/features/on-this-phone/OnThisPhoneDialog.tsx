import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { formatAge, formatBytes, formatCount, formatDate, formatTime, indianDay } from '@nivida/contract/format';
import { INDIA_SCOPE } from '@nivida/contract/sync/sync';
import { portalInfo } from '@nivida/contract/tenders/portals';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { readStorageEstimate, type StorageEstimateState } from '../../data/device/browser-storage.ts';
import { knowsConnectionType } from '../../data/device/connection.ts';
import { useDatabaseState } from '../../data/device/database.ts';
import { storageAdvice } from '../../data/device/storage-advice.ts';
import { type PackStatus, scopeName, usePacks } from '../../offline/packs/pack-status.ts';
import { isPackComplete } from '../../offline/packs/pack-store.ts';
import { removePack, resumePack, setWifiOnly } from '../../offline/packs/packs.ts';
import { Button } from '../../ui/Button.tsx';
import { useOnline } from '../../ui/browser-state.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { Note } from '../../ui/feedback/Note.tsx';
import css from './offline.module.css';
import { SaveButton } from './PackOffer.tsx';
import { isUnfinished, PackProgress, packProblemText } from './PackProgress.tsx';
import { SavedAwards } from './SavedAwards.tsx';

/** '09:40 AM IST' for today, '15 Dec 2025, 09:40 AM IST' for another day. */
function instantText(iso: string, now: Date): string {
  const at = new Date(iso);
  const time = `${formatTime(at)} IST`;
  return indianDay(at) === indianDay(now) ? time : `${formatDate(at)}, ${time}`;
}

interface OnThisPhoneDialogProps {
  now: Date;
  /** The alert settings. Absent when a list opens the dialog. */
  alerts?: ReactNode;
  onClose: () => void;
}

/**
 * The offline packs with size and age, with buttons to update and remove them; the used storage; the alerts.
 */
export function OnThisPhoneDialog({ now, alerts, onClose }: OnThisPhoneDialogProps) {
  const isSavingPossible = useDatabaseState(({ state }) => state !== 'unavailable');
  const { scopes } = usePacks();
  const heading = useId();
  const statuses = Object.values(scopes);
  return (
    <Dialog title={t`On this phone`} onClose={onClose}>
      {!isSavingPossible && <Note tone="amber">{storageAdvice()}</Note>}
      {isSavingPossible && (
        <p className="s muted">
          {statuses.length === 0 && <>{t`No state is saved.`} </>}
          <Trans>
            The tenders of the states that you look at are saved here, so that you can search them without a connection.
            On mobile data or with the data saver on, Nivida asks first.
          </Trans>
        </p>
      )}
      {statuses.length > 0 && (
        <ul className={css.packs}>
          {statuses.map((status) => (
            <li key={status.row.scope}>
              <PackRowView status={status} now={now} />
            </li>
          ))}
        </ul>
      )}
      {isSavingPossible && !(INDIA_SCOPE in scopes) && <AllIndiaPack hasStates={statuses.length > 0} />}
      {isSavingPossible && knowsConnectionType() && <WifiOnly />}
      {isSavingPossible && <StorageUse />}
      {alerts && (
        <section className={`${css.alerts} stack`} aria-labelledby={heading}>
          <h3 id={heading}>{t`Alerts`}</h3>
          {alerts}
        </section>
      )}
    </Dialog>
  );
}

function PackRowView({ status, now }: { status: PackStatus; now: Date }) {
  const { row, isRunning } = status;
  const isOnline = useOnline();
  const warning = useId();
  const [isConfirming, setIsConfirming] = useState(false);
  const bytes = Object.values(row.files).reduce((sum, size) => sum + size, 0);
  const size = formatBytes(bytes);
  const name = scopeName(row.scope);
  const problem = isUnfinished(status) ? null : packProblemText(status);
  return (
    <section className="stack" aria-label={name}>
      <div>
        <h3>{name}</h3>
        {row.current && (
          <p className="s muted">
            {t`${{ count: formatCount(row.current.rows) }} open and recently closed tenders · ${size} · Saved ${{ age: formatAge(new Date(row.savedAt), now) }}`}
          </p>
        )}
        {Object.entries(row.current?.checked ?? {}).map(([portal, at]) => (
          <p key={portal} className="xs muted">
            {t`${{ portal: portalInfo(portal).name }} checked ${{ time: instantText(at, now) }}`}
          </p>
        ))}
      </div>
      <SavedAwards scope={row.scope} now={now} />
      <PackProgress status={status} />
      {problem && <p className="s">{problem}</p>}
      {/* A confirmation instead of undo: fetching a removed pack again costs data and needs a connection. */}
      {isConfirming && (
        <p className="s" id={warning}>
          <Trans>
            Frees {size}. {name} then needs a connection. Bookmarked tenders stay.
          </Trans>
        </p>
      )}
      {isConfirming ? (
        <div className="row">
          <Button onClick={() => void removePack(row.scope).catch(() => undefined)}>{t`Remove ${name}`}</Button>
          <Button look="plain" aria-describedby={warning} onClick={() => setIsConfirming(false)}>
            {t`Keep it`}
          </Button>
        </div>
      ) : (
        <div className="row">
          {!isUnfinished(status) && (
            // The pause may have come after the last byte.
            <Button
              busy={isRunning}
              disabled={!isOnline}
              onClick={() => void resumePack(row.scope).catch(() => undefined)}
            >
              {t`Update now`}
            </Button>
          )}
          {/* An unfinished download can be cancelled, not removed. */}
          {row.current && isPackComplete(row.current, row.files) && (
            <Button look="plain" onClick={() => setIsConfirming(true)}>
              {t`Remove`}
            </Button>
          )}
        </div>
      )}
    </section>
  );
}

function AllIndiaPack({ hasStates }: { hasStates: boolean }) {
  const isOnline = useOnline();
  return (
    <section className={css.india} aria-label={t`All India`}>
      <p className="s">
        {t`All open tenders of all states, searchable without a connection.`}{' '}
        <span className="muted">
          {hasStates && <>{t`Replaces the states above.`} </>}
          {t`Best on Wi-Fi.`}
        </span>
      </p>
      {isOnline ? <SaveButton scope={INDIA_SCOPE} /> : <p className="s muted">{t`Needs a connection.`}</p>}
    </section>
  );
}

function WifiOnly() {
  const isWifiOnly = usePacks((packs) => packs.isWifiOnly);
  return (
    <label className={css.wifi}>
      <input
        type="checkbox"
        checked={isWifiOnly}
        onChange={({ target }) => void setWifiOnly(target.checked).catch(() => undefined)}
      />
      {t`Download on Wi-Fi only`}
    </label>
  );
}

function StorageUse() {
  const [storage, setStorage] = useState<StorageEstimateState>();
  useEffect(() => {
    readStorageEstimate().then(setStorage, () => undefined);
  }, []);
  if (!storage) return null;
  const { usedBytes, quotaBytes, isPersistent } = storage;
  return (
    <p className="xs muted">
      {usedBytes !== null && quotaBytes !== null && (
        <>{t`${{ used: formatBytes(usedBytes) }} of ${{ quota: formatBytes(quotaBytes) }} used.`} </>
      )}
      {isPersistent
        ? t`It stays until you remove it.`
        : t`The browser may clear it when the phone is full; bookmarks of a signed-in user are also stored on the server.`}
    </p>
  );
}
