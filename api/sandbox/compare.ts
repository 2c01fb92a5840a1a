import { createHmac, timingSafeEqual } from 'node:crypto';

/** Compares without telling by its duration where the texts differ. */
export function isEqualInConstantTime(left: string, right: string): boolean {
  const [a, b] = [left, right].map((text) => createHmac('sha256', 'compare').update(text).digest());
  return timingSafeEqual(a as Buffer, b as Buffer);
}
