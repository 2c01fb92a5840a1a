import { useNavigate } from 'react-router-dom';
import { beginSignOut, clearSession, currentSession, useSession } from '../../data/session.ts';
import { openAuthDialog } from '../../features/auth/dialogs.ts';
import type { AccountActions } from '../../features/layout/TopBar.tsx';

let isLeaving = false;

/** True while a sign-out goes home: home then shows nothing of the user. */
export const isSigningOut = (): boolean => isLeaving;

/** Ends the session on this device at once, also offline, and then cleans up. */
async function signOut(goHome: () => unknown, isAccountDeleted: boolean): Promise<void> {
  const session = currentSession();
  // at once, because the user may close the app right after the tap
  if (session) beginSignOut(session, isAccountDeleted);
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

/** The actions of the account buttons in the frames, and the sign-out after the account was deleted. */
export function useAccountActions(): AccountActions & { onAccountDeleted: () => void } {
  const navigate = useNavigate();
  // data that could not be deleted is treated like that of an ended session
  const leave = (isAccountDeleted: boolean) =>
    void signOut(() => navigate('/'), isAccountDeleted).catch(() => undefined);
  return {
    onSignIn: () => openAuthDialog('sign-in'),
    onSignUp: () => openAuthDialog('register'),
    onLogout: () => leave(false),
    onAccountDeleted: () => leave(true),
  };
}

/** The action of Start Free Trial and Get Started: opens the registration, for signed-out visitors only. */
export function useStartRegistration(): () => void {
  const session = useSession();
  const navigate = useNavigate();
  return () => (session ? void navigate('/dashboard') : openAuthDialog('register'));
}
