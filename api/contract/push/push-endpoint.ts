/** Validates push endpoints. The server checks before it stores an endpoint and again before each send. */
import { parseUrl } from '../url.ts';

/** Push services of Chrome and Edge on Android, Firefox, Safari and Windows, with their subdomains. */
export const PUSH_HOSTS: readonly string[] = [
  'fcm.googleapis.com',
  'jmt17.google.com',
  'updates.push.services.mozilla.com',
  'push.apple.com',
  'notify.windows.com',
];

/** The error of a valid endpoint whose host is not listed. */
export const UNKNOWN_PUSH_SERVICE = 'This push service is not known';

const MAX_ENDPOINT_CHARACTERS = 1_024;
const HOST_NAME_PATTERN = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;

/** Whether a host is this machine. Only tests list such hosts; any port is accepted. */
export const isLoopbackHost = (host: string): boolean => host === 'localhost' || host === '127.0.0.1';

/**
 * Why an endpoint is refused, or undefined when it is accepted. Only the canonical spelling is accepted, because URL
 * parsers disagree about others. `hosts` are names or `name:port`.
 */
export function pushEndpointError(endpoint: string, hosts: readonly string[] = PUSH_HOSTS): string | undefined {
  if (endpoint.length > MAX_ENDPOINT_CHARACTERS) return 'The endpoint is too long';
  const url = parseUrl(endpoint);
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
