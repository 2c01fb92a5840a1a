/** Integers in the smallest type for their range. */
export type CompactNumbers = Uint8Array | Uint16Array | Uint32Array;

/** All numbers must be below `limit`. */
export function toCompactNumbers(list: ArrayLike<number>, limit: number): CompactNumbers {
  if (limit <= 0x100) return Uint8Array.from(list);
  return limit <= 0x1_0000 ? Uint16Array.from(list) : Uint32Array.from(list);
}

const PAGE_BITS = 15;

/** Integers from 0 to 2^31 - 1 as bytes in sparse pages: many times faster to fill than a Set. */
export class NumberSet {
  size = 0;
  private readonly pages = new Map<number, Uint8Array>();
  private page: Uint8Array | undefined;
  private number = -1;

  /** Returns false when the value was already in the set. */
  add(value: number): boolean {
    const number = value >>> PAGE_BITS;
    // Numbers mostly come in order, so the last page is usually the right one.
    if (number !== this.number || !this.page) {
      this.number = number;
      this.page = this.pages.get(number) ?? new Uint8Array(1 << PAGE_BITS);
      this.pages.set(number, this.page);
    }
    const at = value & ((1 << PAGE_BITS) - 1);
    if (this.page[at] === 1) return false;
    this.page[at] = 1;
    this.size += 1;
    return true;
  }
}

const FNV_START = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** 32-bit FNV-1a hash over code units. */
export function hashText(text: string): number {
  let state = FNV_START;
  for (let at = 0; at < text.length; at += 1) state = Math.imul(state ^ text.charCodeAt(at), FNV_PRIME);
  return state >>> 0;
}
