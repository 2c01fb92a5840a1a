import { type ComponentType, useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { preload } from '../../data/preload.ts';
import { currentSession, useSession } from '../../data/session.ts';
import { whenUsed } from '../../data/when-used.ts';
import {
  type AuthDialogName,
  closeAuthDialog,
  DIALOG_TITLES,
  openAuthDialog,
  useAuthDialog,
} from '../../features/auth/dialogs.ts';
import { dismissToast, showToast, useToast } from '../../ui/feedback/toast.ts';
import { LazyDialog } from '../../ui/lazy/LazyDialog.tsx';
import { isRegistrationRequested, returnToOf, withoutRegistrationRequest } from '../home/home-state.ts';

const SIGN_IN_FIRST = 'Please sign in to see that page. It opens right after.';

function dismissSignInFirst(): void {
  if (useToast.getState().current?.text === SIGN_IN_FIRST) dismissToast();
}

interface AuthDialogProps {
  onClose: () => void;
  /** Called after a sign-in. */
  onDone: () => void;
}

// The dialogs' code is not in the first load. It is loaded soon after.
const DIALOG_LOADERS: Readonly<Record<AuthDialogName, () => Promise<ComponentType<AuthDialogProps>>>> = {
  'sign-in': () => import('../../features/auth/SignInDialog.tsx').then((m) => m.SignInDialog),
  'reset-password': () =>
    import('../../features/auth/password/ResetPasswordDialog.tsx').then((m) => m.ResetPasswordDialog),
  register: () => import('../../features/auth/registration/CreateAccountDialog.tsx').then((m) => m.CreateAccountDialog),
};

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
  return (
    <LazyDialog
      key={name}
      load={DIALOG_LOADERS[name]}
      title={DIALOG_TITLES[name]}
      dialog={{ onClose: closeAuthDialog, onDone: done }}
    />
  );
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
      showToast({ text: SIGN_IN_FIRST, action: { label: 'Sign in', run: () => openAuthDialog('sign-in') } });
    }
  }, [location, navigate]);
}

/** The account's dialogs, over any screen. Each frame renders them once. */
export function AuthDialogs() {
  const name = useAuthDialog(({ open }) => open);
  const isSignedIn = useSession() !== null;
  const isHome = useLocation().pathname === '/';
  useEffect(() => {
    if (isSignedIn) return;
    const preloadDialogs = () => {
      preload(DIALOG_LOADERS['sign-in']);
      preload(DIALOG_LOADERS.register);
    };
    // Home has a button that registers, so their code is loaded at once. On other pages it is loaded at the
    // first use of the page.
    if (!isHome) return whenUsed(preloadDialogs);
    preloadDialogs();
  }, [isSignedIn, isHome]);
  useRequestedDialog();
  return name && <OpenAuthDialog name={name} />;
}
