import { useNavigate } from 'react-router-dom';
import { useSession } from '../../data/session.ts';
import { openAuthDialog } from '../../features/auth/dialogs.ts';

/** What Start Free Trial and Get Started do: the registration opens, which only who is signed out is shown. */
export function useStartRegistration(): () => void {
  const session = useSession();
  const navigate = useNavigate();
  return () => (session ? void navigate('/dashboard') : openAuthDialog('register'));
}
