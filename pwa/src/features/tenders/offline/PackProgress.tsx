import { formatBytes, formatCount } from '@nivida/contract/format';
import { useOnline } from '../../../ui/useOnline.ts';
import { type PackProblem, type PackStatus, scopeName, usePacks } from '../packs/pack-status.ts';
import { downloadedAmount, isPackComplete } from '../packs/pack-store.ts';
import css from './offline.module.css';

const PROBLEM_TEXTS: Record<PackProblem, string> = {
  network: 'The connection broke. The download will resume.',
  server: 'The server did not answer. The download will resume.',
  schema: 'Please update the app: reload it when it offers that.',
  corrupt: 'Download damaged. Try again.',
  full: 'This phone is full. Make room, then update again.',
};

/** The text for the problem of the last attempt; null without a problem and when the device is offline. */
export function packProblemText({ problem }: PackStatus): string | null {
  return problem && PROBLEM_TEXTS[problem];
}

/** True while a part of the scope is not yet fetched. */
export function isUnfinished({ row }: PackStatus): boolean {
  return row.next !== null || row.current === null || !isPackComplete(row.current, row.parts);
}

/** The progress under a list's count: 'Saving on this phone · 212 of 353'; renders nothing when complete. */
export function PackProgressLine({ scope }: { scope: string | undefined }) {
  const status = usePacks(({ scopes }) => (scope === undefined ? undefined : scopes[scope]));
  const pack = status?.row.next ?? status?.row.current;
  if (!status || !isUnfinished(status)) return null;
  const amount = pack && downloadedAmount(pack, status.row.parts);
  return (
    <p className="muted">
      Saving on this phone{amount && ` · ${formatCount(amount.rows)} of ${formatCount(amount.rowsOfAll)}`}
    </p>
  );
}

/** The progress of saving a scope; renders nothing when complete. */
export function PackProgress({ status }: { status: PackStatus }) {
  const isOnline = useOnline();
  const { row } = status;
  const pack = row.next ?? row.current;
  if (!isUnfinished(status)) return null;
  const amount = pack && downloadedAmount(pack, row.parts);
  return (
    <div className={css.progress} role="status">
      <div className="head">
        <p>
          <b>Saving {scopeName(row.scope)}</b>
        </p>
        {amount && (
          <p className="num s muted">
            {formatCount(amount.rows)} of {formatCount(amount.rowsOfAll)}
          </p>
        )}
      </div>
      <progress
        aria-label={`Saving ${scopeName(row.scope)}`}
        {...(amount && { max: Math.max(1, amount.bytesOfAll), value: amount.bytes })}
      />
      <p className="xs muted">
        {amount && `${formatBytes(amount.bytes)} of ${formatBytes(amount.bytesOfAll)}. `}
        {isOnline ? (packProblemText(status) ?? '') : 'Will resume when signal returns.'}
      </p>
    </div>
  );
}
