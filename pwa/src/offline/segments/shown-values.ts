/**
 * The values of a segment index that are only shown. Tenders repeat the same phrases, so each piece of text
 * is stored once, and a value is a list of piece numbers. This more than halves the bytes. Only the values of
 * the shown page are joined.
 */
import { type CompactNumbers, toCompactNumbers } from './compact-numbers.ts';
import { type PackedTexts, packTexts } from './packed-texts.ts';

/**
 * A word with its following space, or the text between words. A text ends with a line break; JSON contains no
 * raw one.
 */
const PIECE_PATTERN = /[\p{L}\p{M}\p{N}]+ ?|[^\p{L}\p{M}\p{N}]+/gu;

/** Gives each distinct text a number from 0, in order of appearance. */
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

/** Values cut into pieces. Value n has the pieces from `starts[n]` to `starts[n + 1]` (exclusive). */
export interface PackedValues {
  pieces: PackedTexts;
  numbers: CompactNumbers;
  starts: Uint32Array;
}

/** Texts must have no line breaks. */
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

/** Joins the pieces of the value number `at`. */
export function readValue({ pieces: { bytes, starts: ends }, numbers: all, starts }: PackedValues, at: number): string {
  const pieces = all.subarray(starts[at], starts[at + 1]);
  let length = 0;
  for (const piece of pieces) length += (ends[piece + 1] as number) - 1 - (ends[piece] as number);
  const whole = new Uint8Array(length);
  let end = 0;
  for (const piece of pieces) {
    // Byte by byte: the pieces are too short for `set` to be faster.
    const last = (ends[piece + 1] as number) - 1;
    for (let from = ends[piece] as number; from < last; from += 1) {
      whole[end] = bytes[from] as number;
      end += 1;
    }
  }
  return decoder.decode(whole);
}
