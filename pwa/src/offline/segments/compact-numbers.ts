/** Integers in the smallest type for their range. */
export type CompactNumbers = Uint8Array | Uint16Array | Uint32Array;

/** All numbers must be below `limit`. */
export function toCompactNumbers(list: ArrayLike<number>, limit: number): CompactNumbers {
  if (limit <= 0x100) return Uint8Array.from(list);
  return limit <= 0x1_0000 ? Uint16Array.from(list) : Uint32Array.from(list);
}

const FNV_START = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** 32-bit FNV-1a hash over code units. */
export function hashText(text: string): number {
  let state = FNV_START;
  for (let at = 0; at < text.length; at += 1) state = Math.imul(state ^ text.charCodeAt(at), FNV_PRIME);
  return state >>> 0;
}
