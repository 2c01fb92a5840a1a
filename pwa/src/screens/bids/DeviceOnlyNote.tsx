import { useSession } from '../../data/session.ts';
import { openAuthDialog } from '../../features/auth/dialogs.ts';
import css from './DeviceOnlyNote.module.css';

/** Signed out the data are on this device only. */
export function DeviceOnlyNote() {
  if (useSession()) return null;
  return (
    <p className={css.note}>
      You are signed out, so this is on this device only.{' '}
      <button type="button" onClick={() => openAuthDialog('sign-in')}>
        Sign in to save it
      </button>
    </p>
  );
}
