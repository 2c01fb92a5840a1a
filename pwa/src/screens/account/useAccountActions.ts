import { useNavigate } from 'react-router-dom';
import { clearSession, currentSession } from '../../data/session.ts';
import { openAuthDialog } from '../../features/auth/dialogs.ts';
import type { AccountActions } from '../../features/layout/TopBar.tsx';

/** Ends the session on this device at once, also without a network, and then what hangs on it. */
async function signOut(goHome: () => unknown): Promise<void> {
  const session = currentSession();
  // home first: a page that needs a session would ask to come back to it
  await goHome();
  clearSession();
  if (!session) return;
  const { deleteUserData } = await import('./delete-user-data.ts');
  await deleteUserData(session);
}

/** What the frames' buttons for the account do. */
export function useAccountActions(): AccountActions {
  const navigate = useNavigate();
  return {
    onSignIn: () => openAuthDialog('sign-in'),
    onSignUp: () => openAuthDialog('register'),
    // what could not be removed now shows as a session that has ended
    onLogout: () => void signOut(() => navigate('/')).catch(() => undefined),
  };
}
