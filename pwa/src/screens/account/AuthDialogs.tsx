import { t } from '@lingui/core/macro';
import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { currentSession, useSession } from '../../data/session.ts';
import { type AuthDialogName, closeAuthDialog, openAuthDialog, useAuthDialog } from '../../features/auth/dialogs.ts';
import { dismissToast, showToast, type ToastMessage, useToast } from '../../ui/feedback/toast.ts';
import { isRegistrationRequested, returnToOf, withoutRegistrationRequest } from '../home/home-state.ts';
import { AUTH_DIALOGS, usePreparedAuthDialogs } from '../lazy.tsx';

let signInFirst: ToastMessage | undefined;

function dismissSignInFirst(): void {
  if (signInFirst && useToast.getState().current === signInFirst) dismissToast();
}

/**
 * The open dialog over the page. A new account starts on the dashboard (R69). A navigation closes the dialog,
 * even in browsers where the back button does not.
 */
function OpenAuthDialog({ name }: { name: AuthDialogName }) {
  const { pathname, state } = useLocation();
  const navigate = useNavigate();
  const opened = useRef(pathname);
  useEffect(() => {
    if (pathname !== opened.current) closeAuthDialog();
  }, [pathname]);

  const done = () => {
    closeAuthDialog();
    dismissSignInFirst();
    const returnTo = returnToOf(state);
    if (returnTo) void navigate(returnTo, { replace: true });
    else if (name === 'register') void navigate('/dashboard');
  };
  const AuthDialog = AUTH_DIALOGS[name];
  return <AuthDialog key={name} onClose={closeAuthDialog} onDone={done} />;
}

/**
 * Opens what the home page's address or navigation state requests: the registration, or a sign-in to
 * continue.
 */
function useRequestedDialog(): void {
  const location = useLocation();
  const navigate = useNavigate();
  // The location is a new object after each navigation.
  useEffect(() => {
    const { pathname, search, hash, state } = location;
    // The visitor has left the home page, so the page to return to is no longer wanted.
    if (!returnToOf(state)) dismissSignInFirst();
    if (pathname !== '/') return;
    const isSignedIn = currentSession() !== null;
    if (isRegistrationRequested(search, state)) {
      if (!isSignedIn) openAuthDialog('register');
      const rest = withoutRegistrationRequest(search, state);
      void navigate({ pathname, search: rest.search, hash }, { replace: true, state: rest.state });
    } else if (returnToOf(state) && !isSignedIn) {
      signInFirst = {
        text: t`Please sign in to see that page. It opens right after.`,
        action: { label: t`Sign in`, run: () => openAuthDialog('sign-in') },
      };
      showToast(signInFirst);
    }
  }, [location, navigate]);
}

/** The account's dialogs, over any screen. Each frame renders them once. */
export function AuthDialogs() {
  const name = useAuthDialog(({ open }) => open);
  const isSignedIn = useSession() !== null;
  const isHome = useLocation().pathname === '/';
  usePreparedAuthDialogs(isSignedIn, isHome);
  useRequestedDialog();
  return name && <OpenAuthDialog name={name} />;
}
