/** Navigation state of the home page, to which pages that need a session redirect. */

/** The page to open after signing in (path, query and hash), or null. Other keys of the state are ignored. */
export function returnToOf(state: unknown): string | null {
  if (typeof state !== 'object' || state === null || !('returnTo' in state)) return null;
  const { returnTo } = state;
  // Only a path of this site is accepted: '//host' would be another origin.
  return typeof returnTo === 'string' && /^\/(?!\/)/.test(returnTo) ? returnTo : null;
}

/** True when the home page at this address and state must open the registration. */
export function isRegistrationRequested(search: string, state: unknown): boolean {
  const byState = typeof state === 'object' && state !== null && 'register' in state && state.register === true;
  return byState || new URLSearchParams(search).get('register') === '1';
}

/**
 * The query and state without the request to register, so that a reload does not open the registration again.
 */
export function withoutRegistrationRequest(search: string, state: unknown): { search: string; state: unknown } {
  const query = new URLSearchParams(search);
  query.delete('register');
  const { register: _register, ...rest }: { register?: unknown } = { ...(state as object | null) };
  return { search: query.toString(), state: Object.keys(rest).length > 0 ? rest : null };
}
