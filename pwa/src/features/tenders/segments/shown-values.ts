/**
 * The shown values of a pack. Tenders say the same things over and over, so a value is a row of numbers of its pieces,
 * each of which stands in the pack once: less than half of the bytes to read at a start, and pieces are put together
 * only for the few tenders of a page.
 */
import { type CompactNumbers, toCompactNumbers } from './compact-numbers.ts';
import { type PackedTexts, packTexts } from './packed-texts.ts';

/** A word with the space behind it, or what stands between words. Line breaks, which end a text, are none in JSON. */
const PIECE_PATTERN = /[\p{L}\p{M}\p{N}]+ ?|[^\p{L}\p{M}\p{N}]+/gu;

/** Numbers from 0 for texts as they come; a text that comes again has its number already. */
export class TextNumbering {
  private readonly known = new Map<string, number>();

  constructor(...first: string[]) {
    for (const text of first) this.of(text);
  }

  of(text: string): number {
    const known = this.known.get(text);
    if (known !== undefined) return known;
    this.known.set(text, this.known.size);
    return this.known.size - 1;
  }

  get texts(): string[] {
    return [...this.known.keys()];
  }
}

/** Values cut into pieces: those of value n stand from `starts[n]` up to, but not, `starts[n + 1]`. */
export interface PackedValues {
  pieces: PackedTexts;
  numbers: CompactNumbers;
  starts: Uint32Array;
}

/** Cuts texts without line breaks. */
export function packValues(texts: readonly string[]): PackedValues {
  const pieces = new TextNumbering();
  const all: number[] = [];
  const starts = Uint32Array.from([0, ...texts], () => 0);
  for (const [at, text] of texts.entries()) {
    for (const [piece] of text.matchAll(PIECE_PATTERN)) all.push(pieces.of(piece));
    starts[at + 1] = all.length;
  }
  const list = pieces.texts;
  return { pieces: packTexts(list), numbers: toCompactNumbers(all, list.length), starts };
}

const decoder = new TextDecoder();

/** A value, put together again. */
export function readValue({ pieces: { bytes, starts: ends }, numbers: all, starts }: PackedValues, at: number): string {
  const pieces = all.subarray(starts[at], starts[at + 1]);
  let length = 0;
  for (const piece of pieces) length += (ends[piece + 1] as number) - 1 - (ends[piece] as number);
  const whole = new Uint8Array(length);
  let end = 0;
  for (const piece of pieces) {
    // Byte by byte: pieces are too short for a copy of their own to pay.
    const last = (ends[piece + 1] as number) - 1;
    for (let from = ends[piece] as number; from < last; from += 1) {
      whole[end] = bytes[from] as number;
      end += 1;
    }
  }
  return decoder.decode(whole);
}
