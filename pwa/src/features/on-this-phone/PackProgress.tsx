import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { formatBytes } from '@nivida/contract/format';
import { i18n } from '@nivida/contract/i18n';
import { isMeteredConnection } from '../../data/device/connection.ts';
import { useHasConnection } from '../../data/server/reachability.ts';
import { type PackProblem, type PackStatus, scopeName, usePacks } from '../../offline/packs/pack-status.ts';
import { downloadedAmount, isPackComplete, isScopeUnfinished } from '../../offline/packs/pack-store.ts';
import { pausePack, removePack, resumePack } from '../../offline/packs/packs.ts';
import { Button } from '../../ui/Button.tsx';
import css from './offline.module.css';

const PROBLEM_TEXTS: Record<PackProblem, MessageDescriptor> = {
  preparing: msg`The server is preparing this download. It starts by itself.`,
  network: msg`The connection broke. The download will resume.`,
  server: msg`The server did not answer. The download will resume.`,
  schema: msg`Please update the app: reload it when it offers that.`,
  corrupt: msg`Download damaged. Try again.`,
  full: msg`This phone is full. Make room, then update again.`,
};

/** The text for the problem of the last attempt. Null when there is no problem or the device is offline. */
export function packProblemText({ problem }: PackStatus): string | null {
  return problem && i18n._(PROBLEM_TEXTS[problem]);
}

/** Problems that are not retried before the next sync, so the user gets a button. */
const RETRIED_BY_USER: readonly (PackProblem | null)[] = ['corrupt', 'full'];

/** True while some files of the scope are not yet fetched. */
export function isUnfinished({ row }: PackStatus): boolean {
  return isScopeUnfinished(row);
}

/** '23 KB of 163 KB'. Renders nothing before the size is known. */
export function DownloadedAmount({ status, before = '' }: { status: PackStatus; before?: string }) {
  const { row } = status;
  const pack = row.next ?? row.current;
  const amount = pack && downloadedAmount(pack, row.files, status.received);
  if (!amount) return null;
  const [received, size] = [formatBytes(amount.bytes), formatBytes(amount.bytesOfAll)];
  return before + t`${received} of ${size}`;
}

/** True when the pack in use is complete. A newer pack may be downloading. */
export const isCurrentComplete = ({ row }: PackStatus): boolean =>
  row.current !== null && isPackComplete(row.current, row.files);

/** True while downloads wait for Wi-Fi. */
export const useIsHeldBack = (): boolean => usePacks((packs) => packs.isWifiOnly) && isMeteredConnection();

/** Why a download does not continue; '' while it does. */
export function standstillText(status: PackStatus, hasConnection: boolean, isHeldBack: boolean): string {
  if (status.row.isPaused) return t`Paused. The part that is here stays.`;
  if (isHeldBack) return t`Waiting for Wi-Fi.`;
  return hasConnection ? (packProblemText(status) ?? '') : t`Will resume when the connection returns.`;
}

/**
 * The progress of saving a scope, with buttons that pause, repeat and cancel it. Renders nothing when it is
 * complete.
 */
export function PackProgress({ status }: { status: PackStatus }) {
  const hasConnection = useHasConnection();
  const isHeldBack = useIsHeldBack();
  const { row, received, problem } = status;
  const pack = row.next ?? row.current;
  if (!isUnfinished(status)) return null;
  const amount = pack && downloadedAmount(pack, row.files, received);
  const name = scopeName(row.scope);
  return (
    <div className={css.progress}>
      <div role="status">
        <p>
          <b>{t`Saving ${name}`}</b>
        </p>
        <progress
          aria-label={t`Saving ${name}`}
          {...(amount && { max: Math.max(1, amount.bytesOfAll), value: amount.bytes })}
        />
        <p className="xs muted">
          <DownloadedAmount status={status} />
          {amount && '. '}
          {standstillText(status, hasConnection, isHeldBack)}
        </p>
      </div>
      <div className="row">
        {row.isPaused || RETRIED_BY_USER.includes(problem) ? (
          <Button onClick={() => void resumePack(row.scope).catch(() => undefined)}>
            {row.isPaused ? t`Resume` : t`Try again`}
          </Button>
        ) : (
          <Button onClick={() => void pausePack(row.scope).catch(() => undefined)}>{t`Pause`}</Button>
        )}
        {!isCurrentComplete(status) && (
          <Button look="plain" onClick={() => void removePack(row.scope).catch(() => undefined)}>
            {t`Cancel`}
          </Button>
        )}
      </div>
    </div>
  );
}
