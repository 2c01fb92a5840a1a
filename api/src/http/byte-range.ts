/** The byte range of a request (RFC 9110 section 14). */

import type { IncomingHttpHeaders } from 'node:http';

/** Both ends are included. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * The range of a `Range` header over a file of `bytes`. Undefined means the whole file: there is no header, or several
 * ranges, or another unit, or an `If-Range` with another ETag. 'none' when the range lies outside the file.
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
