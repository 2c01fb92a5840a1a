import { useNavigate } from 'react-router-dom';
import { useSession } from '../../data/session.ts';
import { openAuthDialog } from '../../features/auth/dialogs.ts';

/** The action of Start Free Trial and Get Started: opens the registration, for signed-out visitors only. */
export function useStartRegistration(): () => void {
  const session = useSession();
  const navigate = useNavigate();
  return () => (session ? void navigate('/dashboard') : openAuthDialog('register'));
}
