import { reloadSession } from './session.ts';

/** Signs a user in, as this browser stores a session. For tests. */
export function signInForTest(id: string, token = `token-${id}`): void {
  const user = { _id: id, username: 'Asha', email: 'asha@example.in', mobileNo: '+919876543210' };
  localStorage.setItem('token', token);
  localStorage.setItem('user', JSON.stringify(user));
  reloadSession();
}
