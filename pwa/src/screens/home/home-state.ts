/** What the home page may find in its navigation state: it stands in for pages that need a session. */

/** Asks the home page to open the registration (SPEC section 2). */
export interface RegisterState {
  register: true;
}

/** The page to go to after signing in (path, query and hash), or null; whatever else a state holds is let pass. */
export function returnToOf(state: unknown): string | null {
  if (typeof state !== 'object' || state === null || !('returnTo' in state)) return null;
  const { returnTo } = state;
  // an address of our own: '//host' would be another's
  return typeof returnTo === 'string' && /^\/(?!\/)/.test(returnTo) ? returnTo : null;
}

/** True when the home page at this address and state is to open the registration. */
export function isRegistrationRequested(search: string, state: unknown): boolean {
  const byState = typeof state === 'object' && state !== null && 'register' in state && state.register === true;
  return byState || new URLSearchParams(search).get('register') === '1';
}

/** The same query and state without the wish, so that a reload does not open the registration again. */
export function withoutRegistrationRequest(search: string, state: unknown): { search: string; state: unknown } {
  const query = new URLSearchParams(search);
  query.delete('register');
  const { register: _register, ...rest }: { register?: unknown } = { ...(state as object | null) };
  return { search: query.toString(), state: Object.keys(rest).length > 0 ? rest : null };
}
