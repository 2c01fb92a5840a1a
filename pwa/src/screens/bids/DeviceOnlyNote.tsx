import { plural, t } from '@lingui/core/macro';
import { useSpaceRows } from '../../data/firms/useSpaceRows.ts';
import { useSession } from '../../data/session.ts';
import { openAuthDialog } from '../../features/auth/dialogs.ts';
import css from './DeviceOnlyNote.module.css';

const loadRefusals = async () => (await import('../../data/records/record-rows.ts')).readRefusals;

/**
 * Signed out: says that the data are only on this device. Signed in: says which data the server refuses and
 * why.
 */
export function DeviceOnlyNote() {
  const session = useSession();
  const { rows: refusals = [] } = useSpaceRows(loadRefusals);
  const [reason] = refusals;
  if (session && reason === undefined) return null;
  if (session)
    return (
      <p className={css.note} role="status">
        {plural(refusals.length, {
          one: `# record is only on this device: ${reason}`,
          other: `# records are only on this device: ${reason}`,
        })}
      </p>
    );
  return (
    <p className={css.note}>
      {t`You are signed out, so this is on this device only.`}{' '}
      <button type="button" onClick={() => openAuthDialog('sign-in')}>
        {t`Sign in to save it`}
      </button>
    </p>
  );
}
