import { t } from '@lingui/core/macro';
import type { DeskFileRow } from '@nivida/contract/desk/data-in';
import { Status } from '../../../ui/display/Status.tsx';

/** The state of a file in the list. */
export function FileStatus({ file: { status, isDryRun, problem } }: { file: DeskFileRow }) {
  if (status === 'waiting' || status === 'running') return <Status tone="amber" label={t`Being read`} />;
  if (problem === 'mass-change' || problem === 'state') return <Status tone="amber" label={t`Waits for you`} />;
  if (problem === 'columns') return <Status tone="amber" label={t`Other columns`} />;
  if (status === 'refused') return <Status tone="red" label={t`Not imported`} />;
  if (status === 'done' && !isDryRun) return <Status tone="green" label={t`Imported`} />;
  return <Status tone="gray" label={status === 'done' ? t`Counted` : t`Not used yet`} />;
}
