import { useNavigate } from 'react-router-dom';
import { beginSignOut, clearSession, currentSession, useSession } from '../../data/session.ts';
import { openAuthDialog } from '../../features/auth/dialogs.ts';
import type { AccountActions } from '../../features/layout/TopBar.tsx';

let isLeaving = false;

/** True while a sign-out navigates home. Home then shows no data of the user. */
export const isSigningOut = (): boolean => isLeaving;

/** Ends the session on this device at once, even offline, and then cleans up. */
async function signOut(goHome: () => unknown, isAccountDeleted: boolean): Promise<void> {
  const session = currentSession();
  // Recorded at once, because the user may close the app right after the tap.
  if (session) beginSignOut(session, isAccountDeleted);
  // Navigates home before the session ends: otherwise a page that needs a session would ask to sign in.
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
  // If data could not be deleted, it is treated like data of an ended session.
  const leave = (isAccountDeleted: boolean) =>
    void signOut(() => navigate('/'), isAccountDeleted).catch(() => undefined);
  return {
    onSignIn: () => openAuthDialog('sign-in'),
    onSignUp: () => openAuthDialog('register'),
    onLogout: () => leave(false),
    onAccountDeleted: () => leave(true),
  };
}

/**
 * The action of Start Free Trial and Get Started. Opens the registration; a signed-in user goes to the
 * dashboard.
 */
export function useStartRegistration(): () => void {
  const session = useSession();
  const navigate = useNavigate();
  return () => (session ? void navigate('/dashboard') : openAuthDialog('register'));
}
