/** Many short texts as one run of UTF-8 bytes. Each ends with a line break, so a slice is decoded at once. */

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const SEPARATOR = '\n';

/**
 * `starts` has the start of each text in `bytes`, followed by the end of the last text. No text may contain a
 * line break.
 */
export interface PackedTexts {
  bytes: Uint8Array;
  starts: Uint32Array;
}

/** Packs texts in their order. */
export function packTexts(texts: readonly string[]): PackedTexts {
  const bytes = encoder.encode(texts.map((text) => text + SEPARATOR).join(''));
  const starts = new Uint32Array(texts.length + 1);
  for (let at = 0, end = 0; at < texts.length; at += 1) {
    end = bytes.indexOf(0x0a, end) + 1;
    starts[at + 1] = end;
  }
  return { bytes, starts };
}

/** The texts from `from` to `to` (exclusive). */
export function unpackTexts({ bytes, starts }: PackedTexts, from: number, to: number): string[] {
  if (from >= to) return [];
  return decoder.decode(bytes.subarray(starts[from], (starts[to] as number) - 1)).split(SEPARATOR);
}

/**
 * Compares a text with `wanted` by bytes: negative when it sorts before. 0 when it is equal or, with
 * `isPrefix`, begins with `wanted`.
 */
function compareAt({ bytes, starts }: PackedTexts, at: number, wanted: Uint8Array, isPrefix: boolean): number {
  const start = starts[at] as number;
  const length = (starts[at + 1] as number) - 1 - start;
  const shared = Math.min(length, wanted.length);
  for (let offset = 0; offset < shared; offset += 1) {
    const difference = (bytes[start + offset] as number) - (wanted[offset] as number);
    if (difference !== 0) return difference;
  }
  return isPrefix && length >= wanted.length ? 0 : length - wanted.length;
}

export const encodeText = (text: string): Uint8Array => encoder.encode(text);

/**
 * In sorted texts, the first one from `start` on that does not sort before `wanted`. With `isBehind`: the
 * first one after all matches.
 */
function lowerBound(
  texts: PackedTexts,
  start: number,
  wanted: Uint8Array,
  isPrefix: boolean,
  isBehind: boolean,
): number {
  let low = start;
  let high = texts.starts.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const order = compareAt(texts, middle, wanted, isPrefix);
    if (isBehind ? order > 0 : order >= 0) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * The range of the texts that equal `wanted` or, with `isPrefix`, begin with it; `to` is exclusive. Texts
 * must be sorted and distinct.
 */
export function findText(texts: PackedTexts, wanted: Uint8Array, isPrefix: boolean): { from: number; to: number } {
  const from = lowerBound(texts, 0, wanted, isPrefix, false);
  if (isPrefix) return { from, to: lowerBound(texts, from, wanted, true, true) };
  const isThere = from < texts.starts.length - 1 && compareAt(texts, from, wanted, false) === 0;
  return { from, to: isThere ? from + 1 : from };
}

/** Compares by code points. UTF-8 bytes have the same order. */
export function compareCodePoints(left: string, right: string): number {
  const shared = Math.min(left.length, right.length);
  for (let at = 0; at < shared; at += 1) {
    if (left.charCodeAt(at) === right.charCodeAt(at)) continue;
    // A surrogate pair sorts after all other code units, although its first half does not.
    return codeUnitWeight(left.charCodeAt(at)) - codeUnitWeight(right.charCodeAt(at));
  }
  return left.length - right.length;
}

const codeUnitWeight = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x1_0000 : unit);
