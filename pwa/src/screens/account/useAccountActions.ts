import { useNavigate } from 'react-router-dom';
import { beginSignOut, clearSession, currentSession, useSession } from '../../data/session.ts';
import { openAuthDialog } from '../../features/auth/dialogs.ts';
import type { AccountActions } from '../../features/layout/TopBar.tsx';

let isLeaving = false;

/** True while a sign-out goes home: home then shows nothing of the user. */
export const isSigningOut = (): boolean => isLeaving;

/** Ends the session on this device at once, also offline, and then cleans up. */
async function signOut(goHome: () => unknown): Promise<void> {
  const session = currentSession();
  // at once, because the user may close the app right after the tap
  if (session) beginSignOut(session);
  // goes home first, because a page that needs a session would ask to come back
  isLeaving = true;
  try {
    await goHome();
  } finally {
    clearSession();
    isLeaving = false;
  }
  if (!session) return;
  const { finishSignOuts } = await import('./delete-user-data.ts');
  await finishSignOuts();
}

/** The actions of the account buttons in the frames. */
export function useAccountActions(): AccountActions {
  const navigate = useNavigate();
  return {
    onSignIn: () => openAuthDialog('sign-in'),
    onSignUp: () => openAuthDialog('register'),
    // data that could not be deleted is treated like that of an ended session
    onLogout: () => void signOut(() => navigate('/')).catch(() => undefined),
  };
}

/** The action of Start Free Trial and Get Started: opens the registration, for signed-out visitors only. */
export function useStartRegistration(): () => void {
  const session = useSession();
  const navigate = useNavigate();
  return () => (session ? void navigate('/dashboard') : openAuthDialog('register'));
}
