import { createHmac, timingSafeEqual } from 'node:crypto';

/** HMAC-SHA256 of the parts, one after the other. */
export function hmac(secret: string, ...parts: (string | Buffer)[]): Buffer {
  const sum = createHmac('sha256', secret);
  for (const part of parts) sum.update(part);
  return sum.digest();
}

/** Whether `hex` is exactly this digest; takes the same time wherever they differ. */
export function isEqualDigest(hex: string, digest: Buffer): boolean {
  // Buffer.from skips what is no hex digit, and timingSafeEqual throws for another length.
  return /^[0-9a-f]{64}$/i.test(hex) && timingSafeEqual(Buffer.from(hex, 'hex'), digest);
}
