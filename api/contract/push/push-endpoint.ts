/**
 * Which push endpoints are accepted: the device asks before it sends one, the server before it stores one and again
 * before each send, also for rows that were written past the first check.
 */

/** Hosts of the push services of Chrome and Edge on Android, Firefox, Safari and Windows; below each any subdomain. */
export const PUSH_HOSTS: readonly string[] = [
  'fcm.googleapis.com',
  'jmt17.google.com',
  'updates.push.services.mozilla.com',
  'push.apple.com',
  'notify.windows.com',
];

/** What is wrong with an endpoint in order at a host that is not listed: another list would take it. */
export const UNKNOWN_PUSH_SERVICE = 'This push service is not known';

const MAX_ENDPOINT_CHARACTERS = 1_024;
const HOST_NAME_PATTERN = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;

/** Whether a host is this machine itself; such hosts are listed in tests only, and may have any port there. */
export const isLoopbackHost = (host: string): boolean => host === 'localhost' || host === '127.0.0.1';

/**
 * Why an endpoint is refused, or undefined when it may be stored and sent to. Only the one canonical spelling passes, so
 * that nobody who reads the text in another way can be led to another host. `hosts` are names, or `name:port`.
 */
export function pushEndpointError(endpoint: string, hosts: readonly string[] = PUSH_HOSTS): string | undefined {
  if (endpoint.length > MAX_ENDPOINT_CHARACTERS) return 'The endpoint is too long';
  const url = URL.parse(endpoint);
  if (!url) return 'The endpoint is not an address';
  if (url.protocol !== 'https:') return 'The endpoint must begin with https://';
  if (url.href !== endpoint) return 'The endpoint is not written as browsers write it';
  if (url.username || url.password || endpoint.includes('@')) return 'The endpoint must not hold a user';
  if (url.hash || endpoint.includes('#')) return 'The endpoint must not hold a fragment';
  if (!HOST_NAME_PATTERN.test(url.hostname)) return 'The endpoint has no plain host name';
  const isListed = hosts.some((host) =>
    isLoopbackHost(host.split(':', 1)[0] ?? '')
      ? url.host === host || url.hostname === host
      : url.host === host || url.host.endsWith(`.${host}`),
  );
  return isListed ? undefined : UNKNOWN_PUSH_SERVICE;
}
