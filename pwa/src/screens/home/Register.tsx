import { Navigate } from 'react-router-dom';
import type { RegisterState } from './home-state.ts';

/** `/register`: home with the registration open. */
export function Register() {
  const state: RegisterState = { register: true };
  return <Navigate to="/" replace state={state} />;
}
