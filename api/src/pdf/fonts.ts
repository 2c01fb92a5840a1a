/**
 * The fonts of PDF files: Noto Sans for the scripts of the 22 languages of the Eighth Schedule, Greek and Cyrillic. A file is read when
 * a text first needs it. HarfBuzz shapes the texts, because fontkit, the shaper of pdfkit, throws at names in Gurmukhi, Telugu and
 * Malayalam and runs out of memory in Meetei Mayek.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { inflateSync } from 'node:zlib';
import { Blob, Direction, Face, Font, Buffer as ShapingBuffer, shape } from 'harfbuzzjs';

const require = createRequire(import.meta.url);

/** The letters for which each font is tried, in this order. `scx`: marks and signs belong to each script that uses them. */
const LETTERS = {
  latin: /[\p{scx=Latin}\p{scx=Common}\p{scx=Inherited}]/u,
  'latin-ext': /[\p{scx=Latin}\p{scx=Common}\p{scx=Inherited}]/u,
  greek: /\p{scx=Greek}/u,
  // With the sign №.
  cyrillic: /[\p{scx=Cyrillic}\u2116]/u,
  devanagari: /\p{scx=Devanagari}/u,
  bengali: /\p{scx=Bengali}/u,
  gurmukhi: /\p{scx=Gurmukhi}/u,
  gujarati: /\p{scx=Gujarati}/u,
  oriya: /\p{scx=Oriya}/u,
  tamil: /\p{scx=Tamil}/u,
  telugu: /\p{scx=Telugu}/u,
  kannada: /\p{scx=Kannada}/u,
  malayalam: /\p{scx=Malayalam}/u,
  arabic: /\p{scx=Arabic}/u,
  'ol-chiki': /\p{scx=Ol_Chiki}/u,
  'meetei-mayek': /\p{scx=Meetei_Mayek}/u,
} as const;
export type FontName = keyof typeof LETTERS;
export type FontWeight = 400 | 700;

/** These are parts of the package of Latin. */
const PARTS: readonly FontName[] = ['latin', 'latin-ext', 'greek', 'cyrillic'];

export interface LoadedFont {
  font: Font;
  /** The file, as pdfkit embeds it. */
  bytes: Buffer;
  /** The letter of each glyph that shows one letter. */
  codePoints: ReadonlyMap<number, readonly number[]>;
  letters: ReadonlySet<number>;
  /** Above and below the baseline, in em. */
  ascent: number;
  descent: number;
}

const loaded = new Map<string, LoadedFont>();

/** A font with its file, which is read once. */
export function loadFont(name: FontName, weight: FontWeight): LoadedFont {
  const key = `${name}-${weight}`;
  const before = loaded.get(key);
  if (before) return before;
  const folder = PARTS.includes(name) ? 'noto-sans' : `noto-sans-${name}`;
  // WOFF instead of WOFF2, whose outlines cannot be subset cheaply.
  const bytes = unpackWoff(readFileSync(require.resolve(`@fontsource/${folder}/files/${folder}-${key}-normal.woff`)));
  const face = new Face(new Blob(bytes));
  const font = new Font(face);
  const letters = new Set(face.collectUnicodes());
  const codePoints = new Map(
    [...letters]
      .filter((letter) => !isPresentationForm(letter))
      .map((letter) => [font.nominalGlyph(letter) ?? 0, codePointsOf(String.fromCodePoint(letter).normalize('NFC'))]),
  );
  const { ascender, descender } = font.hExtents();
  const made = { font, bytes, codePoints, letters, ascent: ascender / face.upem, descent: -descender / face.upem };
  loaded.set(key, made);
  return made;
}

const codePointsOf = (text: string): number[] => Array.from(text, (letter) => letter.codePointAt(0) as number);

/** Arabic letters as they are at the end or in the middle of a word; texts have the letters themselves. */
const isPresentationForm = (letter: number): boolean => letter >= 0xfb50 && letter <= 0xfeff;

/** The first font that has a letter; undefined if none has. */
export const fontOf = (letter: string): FontName | undefined =>
  (Object.keys(LETTERS) as FontName[]).find((name) => LETTERS[name].test(letter) && hasLetter(name, letter));

/** Whether a letter is one of the font's script, or a space or mark that it has too. */
export const belongsTo = (name: FontName, letter: string): boolean =>
  (LETTERS[name].test(letter) || /[\s\p{M}\p{Cf}]/u.test(letter)) && hasLetter(name, letter);

const hasLetter = (name: FontName, letter: string): boolean =>
  loadFont(name, 400).letters.has(letter.codePointAt(0) as number);

/** A glyph of a text, from left to right. Lengths are in units of the font. */
export interface ShapedGlyph {
  id: number;
  /** What it stands for; empty for a part of a letter whose other part has them. */
  codePoints: readonly number[];
  position: { xAdvance: number; yAdvance: number; xOffset: number; yOffset: number };
}

const buffer = new ShapingBuffer();

function shapeInBuffer(font: Font, text: string, isRightToLeft: boolean): void {
  buffer.reset();
  buffer.addText(text);
  buffer.setDirection(isRightToLeft ? Direction.RTL : Direction.LTR);
  buffer.guessSegmentProperties();
  shape(font, buffer);
}

/** The glyphs of a text in one font and direction. */
export function shapeText({ font, codePoints }: LoadedFont, text: string, isRightToLeft: boolean): ShapedGlyph[] {
  shapeInBuffer(font, text, isRightToLeft);
  const infos = buffer.getGlyphInfos();
  // The letters of a cluster that none of its glyphs shows alone are those of its first other glyph: a conjunct.
  const alone = new Set(
    infos.flatMap(({ codepoint, cluster }) => codePoints.get(codepoint)?.map((letter) => `${cluster} ${letter}`) ?? []),
  );
  const starts = [...new Set(infos.map(({ cluster }) => cluster))].sort((a, b) => a - b);
  const conjuncts = new Map(
    starts.map((start, at) => {
      const letters = codePointsOf(text.slice(start, starts[at + 1]));
      return [start, letters.filter((letter) => !alone.has(`${start} ${letter}`))];
    }),
  );
  return buffer.getGlyphPositions().map((position, at) => {
    const { codepoint: id, cluster } = infos[at] as (typeof infos)[number];
    const own = codePoints.get(id);
    if (own) return { id, codePoints: own, position };
    const conjunct = conjuncts.get(cluster) ?? [];
    conjuncts.delete(cluster);
    return { id, codePoints: conjunct, position };
  });
}

/** The width of a text in em. */
export function textWidth({ font }: LoadedFont, text: string, isRightToLeft: boolean): number {
  shapeInBuffer(font, text, isRightToLeft);
  return buffer.getGlyphPositions().reduce((sum, { xAdvance }) => sum + xAdvance, 0) / font.face.upem;
}

const WOFF_HEADER = 44;
const WOFF_ENTRY = 20;

/** The TrueType file in a WOFF file, which has the same tables, each compressed. */
function unpackWoff(woff: Buffer): Buffer {
  const count = woff.readUInt16BE(12);
  const header = Buffer.alloc(12 + 16 * count);
  woff.copy(header, 0, 4, 8);
  header.writeUInt16BE(count, 4);
  const tables: Buffer[] = [header];
  let end = header.length;
  for (let index = 0; index < count; index++) {
    const from = WOFF_HEADER + WOFF_ENTRY * index;
    const to = 12 + 16 * index;
    const [start, packed, length] = [4, 8, 12].map((offset) => woff.readUInt32BE(from + offset)) as [
      number,
      number,
      number,
    ];
    const data = woff.subarray(start, start + packed);
    const table = packed < length ? inflateSync(data) : data;
    // Tag, checksum, place, length.
    woff.copy(header, to, from, from + 4);
    woff.copy(header, to + 4, from + 16, from + 20);
    header.writeUInt32BE(end, to + 8);
    header.writeUInt32BE(length, to + 12);
    const padding = Buffer.alloc(-length & 3);
    tables.push(table, padding);
    end += length + padding.length;
  }
  return Buffer.concat(tables);
}
