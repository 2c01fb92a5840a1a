/** Breaks texts of any script and direction into lines. */
import bidiFactory, { type EmbeddingLevels } from 'bidi-js';
import LineBreaker from 'linebreak';
import { belongsTo, type FontName, type FontWeight, fontOf, loadFont, textWidth } from './fonts.ts';

/** A part of a line in one font and direction. */
export interface TextRun {
  font: FontName;
  text: string;
  isRightToLeft: boolean;
  /** In em. */
  width: number;
}

/** Runs from left to right. The ascent is that of the highest font; all lengths are in em. */
export interface TextLine {
  runs: TextRun[];
  width: number;
  ascent: number;
  descent: number;
}

const bidi = bidiFactory();
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The widths of words that were measured before, in em, by font and direction. */
export type TextWidths = Map<string, number>;

/** The lines of a text that are at most `width` em wide. A line break in the text begins a new line. */
export const textLines = (text: string, weight: FontWeight, width: number, widths: TextWidths): TextLine[] =>
  text.split('\n').flatMap((paragraph) => new Paragraph(paragraph, weight, widths).lines(width));

/** A part of a paragraph, in one font and at one level of the bidirectional algorithm. */
interface Stretch {
  font: FontName;
  level: number;
  from: number;
  to: number;
}

/** A text without line breaks, in letters that the fonts have. */
class Paragraph {
  private text = '';
  /** The font of each UTF-16 unit. */
  private readonly fonts: FontName[] = [];
  private readonly embedding: EmbeddingLevels;

  constructor(
    text: string,
    private readonly weight: FontWeight,
    private readonly widths: TextWidths,
  ) {
    // A Latin letter with its accent is one letter. Other scripts have no such letters.
    for (const letter of text.replace(/\p{Script=Latin}\p{M}+/gu, (letters) => letters.normalize('NFC'))) {
      // Tabs and other control characters have no glyph.
      if (!this.add(/\p{Cc}/u.test(letter) ? ' ' : letter)) this.addOtherForm(letter);
    }
    this.embedding = bidi.getEmbeddingLevels(this.text);
  }

  /** False without a font. Spaces, marks and joiners are in the font of what precedes them. */
  private add(letter: string): boolean {
    const last = this.fonts.at(-1);
    const font = last && belongsTo(last, letter) ? last : fontOf(letter);
    if (!font) return false;
    this.text += letter;
    for (let unit = 0; unit < letter.length; unit++) this.fonts.push(font);
    return true;
  }

  /** Adds '1' for '①', '?' for a letter that no font has, nothing for a mark. */
  private addOtherForm(letter: string): void {
    const plain = letter.normalize('NFKC');
    if ([...plain].every(fontOf)) for (const each of plain) this.add(each);
    else if (!/[\p{M}\p{Cf}]/u.test(letter)) this.add('?');
  }

  lines(width: number): TextLine[] {
    const lines: TextLine[] = [];
    let start = 0;
    let end = 0;
    let used = 0;
    for (const part of this.parts(width)) {
      if (used + part.width > width && end > start) {
        lines.push(this.line(start, end));
        start = end;
        used = 0;
      }
      used += part.width;
      end = part.end;
    }
    return [...lines, this.line(start, end)];
  }

  /** The parts that stay on one line: words, and the letters of a word that is wider than a line. */
  private *parts(width: number): Generator<{ end: number; width: number }> {
    const breaker = new LineBreaker(this.text);
    let start = 0;
    for (let next = breaker.nextBreak(); next; next = breaker.nextBreak()) {
      const end = next.position;
      const word = this.widthOf(start, end);
      if (word <= width) yield { end, width: word };
      else
        for (const { index, segment } of graphemes.segment(this.text.slice(start, end))) {
          const from = start + index;
          const to = from + segment.length;
          yield { end: to, width: this.widthOf(from, to) };
        }
      start = end;
    }
  }

  private line(start: number, end: number): TextLine {
    const runs = this.runs(start, start + this.text.slice(start, end).trimEnd().length);
    // Every line has the height of Latin at least, so that lines are evenly apart.
    const fonts = (['latin', ...runs.map(({ font }) => font)] as const).map((font) => loadFont(font, this.weight));
    return {
      runs,
      width: sumOf(runs),
      ascent: Math.max(...fonts.map(({ ascent }) => ascent)),
      descent: Math.max(...fonts.map(({ descent }) => descent)),
    };
  }

  /** The width of a part of the text, for which the order of its letters does not matter. */
  private widthOf(start: number, end: number): number {
    let width = 0;
    for (let from = start; from < end; ) {
      const font = this.fonts[from] as FontName;
      const level = this.embedding.levels[from] as number;
      let to = from + 1;
      while (to < end && this.fonts[to] === font && this.embedding.levels[to] === level) to++;
      width += this.measure({ font, level, from, to });
      from = to;
    }
    return width;
  }

  private measure({ font, level, from, to }: Stretch): number {
    const text = this.text.slice(from, to);
    const isRightToLeft = level % 2 === 1;
    const key = `${font} ${this.weight} ${isRightToLeft} ${text}`;
    const known = this.widths.get(key);
    if (known !== undefined) return known;
    const width = textWidth(loadFont(font, this.weight), text, isRightToLeft);
    this.widths.set(key, width);
    return width;
  }

  /** The runs of a line. */
  private runs(start: number, end: number): TextRun[] {
    const order = Array.from({ length: end - start }, (_, at) => start + at);
    for (const [first = start, last = start] of bidi.getReorderSegments(this.text, this.embedding, start, end - 1)) {
      const [from, to] = [first - start, last - start + 1];
      order.splice(from, to - from, ...order.slice(from, to).reverse());
    }
    const parts: Stretch[] = [];
    for (const at of order) {
      const last = parts.at(-1);
      const font = this.fonts[at] as FontName;
      const level = this.embedding.levels[at] as number;
      const isNext = last?.font === font && last.level === level && (at === last.to || at === last.from - 1);
      if (isNext) Object.assign(last, { from: Math.min(last.from, at), to: Math.max(last.to, at + 1) });
      else parts.push({ font, level, from: at, to: at + 1 });
    }
    return parts.map((part) => ({
      font: part.font,
      text: this.text.slice(part.from, part.to),
      isRightToLeft: part.level % 2 === 1,
      width: this.measure(part),
    }));
  }
}

const sumOf = (runs: readonly TextRun[]): number => runs.reduce((sum, { width }) => sum + width, 0);
