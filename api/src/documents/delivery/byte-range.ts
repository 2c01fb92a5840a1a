/** Which part of a file a request asks for (RFC 9110 section 14). */

import type { IncomingHttpHeaders } from 'node:http';

/** Both ends are included. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * The one range of a `Range` header over a file of `bytes`; undefined for the whole file: no header, one that is no
 * single range of bytes, or an `If-Range` of another file than `etag`. 'none' when it lies outside.
 */
export function parseRange(
  { range, 'if-range': ifRange }: IncomingHttpHeaders,
  bytes: number,
  etag: string,
): ByteRange | 'none' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range ?? '') ?? [];
  if ((first === '' && last === '') || (ifRange !== undefined && ifRange !== etag)) return undefined;
  // 'bytes=-500' are the last 500.
  const start = first === '' ? Math.max(0, bytes - Number(last)) : Number(first);
  const end = first === '' || last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1);
  return start > end || start >= bytes ? 'none' : { start, end };
}
