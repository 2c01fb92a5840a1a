import { useLocation, useNavigate } from 'react-router-dom';

/** The values of the list's address as the query of a call; a name of the call may differ from that of the address. */
export function useAddressQuery(...names: readonly (string | readonly [name: string, ofAddress: string])[]): string {
  const chosen = new URLSearchParams(useLocation().search);
  const query = new URLSearchParams();
  for (const each of names) {
    const [name, ofAddress] = typeof each === 'string' ? [each, each] : each;
    const value = chosen.get(ofAddress);
    if (value) query.set(name, value);
  }
  return query.toString();
}

/**
 * One value of the list's address, and a function that changes it. The address leaves out `initial`, the value before a
 * choice. Another choice begins at the first page. An opened row stays open.
 */
export function useDeskParam(name: string, initial = ''): [value: string, set: (value: string) => void] {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const params = new URLSearchParams(search);
  const set = (value: string): void => {
    if (value === initial) params.delete(name);
    else params.set(name, value);
    if (name !== 'page') params.delete('page');
    void navigate({ pathname, search: params.toString() }, { replace: true });
  };
  return [params.get(name) ?? initial, set];
}
