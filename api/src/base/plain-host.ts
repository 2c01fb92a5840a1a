/** A name, an IPv4 address or an IPv6 address in brackets, as a parsed URL writes it. */
const PLAIN_HOST = /^(?:[a-z\d_-]+(?:\.[a-z\d_-]+)*|\[[\da-f:.]+\])$/;

/**
 * Whether the host of an address is a name or an IP address. URL parsers also accept `*` and `;` in a host, which have a
 * meaning of their own in a security policy.
 */
export const hasPlainHost = (url: URL | null): url is URL => url !== null && PLAIN_HOST.test(url.hostname);
