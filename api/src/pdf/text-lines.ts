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

/** The lines of a text that are at most `width` em wide. A line break in the text begins a new line. */
export const textLines = (text: string, weight: FontWeight, width: number): TextLine[] =>
  text.split('\n').flatMap((paragraph) => new Paragraph(paragraph, weight).lines(width));

/** A text without line breaks, in letters that the fonts have. */
class Paragraph {
  private text = '';
  /** The font of each UTF-16 unit. */
  private readonly fonts: FontName[] = [];
  private readonly embedding: EmbeddingLevels;

  constructor(
    text: string,
    private readonly weight: FontWeight,
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
      const partWidth = this.widthOf(end, end + part.length);
      if (used + partWidth > width && end > start) {
        lines.push(this.line(start, end));
        start = end;
        used = 0;
      }
      used += partWidth;
      end += part.length;
    }
    return [...lines, this.line(start, end)];
  }

  /** The parts that stay on one line: words, and the letters of a word that is wider than a line. */
  private parts(width: number): string[] {
    const parts: string[] = [];
    const breaker = new LineBreaker(this.text);
    let start = 0;
    for (let next = breaker.nextBreak(); next; next = breaker.nextBreak()) {
      const word = this.text.slice(start, next.position);
      if (this.widthOf(start, next.position) <= width) parts.push(word);
      else parts.push(...Array.from(graphemes.segment(word), ({ segment }) => segment));
      start = next.position;
    }
    return parts;
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

  private widthOf(start: number, end: number): number {
    return sumOf(this.runs(start, end));
  }

  /** The runs of a part of the text. */
  private runs(start: number, end: number): TextRun[] {
    if (start === end) return [];
    const order = bidi.getReorderedIndices(this.text, this.embedding, start, end - 1).slice(start, end);
    const parts: { font: FontName; level: number; from: number; to: number }[] = [];
    for (const at of order) {
      const last = parts.at(-1);
      const font = this.fonts[at] as FontName;
      const level = this.embedding.levels[at] as number;
      const isNext = last?.font === font && last.level === level && (at === last.to || at === last.from - 1);
      if (isNext) Object.assign(last, { from: Math.min(last.from, at), to: Math.max(last.to, at + 1) });
      else parts.push({ font, level, from: at, to: at + 1 });
    }
    return parts.map(({ font, level, from, to }) => {
      const text = this.text.slice(from, to);
      const isRightToLeft = level % 2 === 1;
      return { font, text, isRightToLeft, width: textWidth(loadFont(font, this.weight), text, isRightToLeft) };
    });
  }
}

const sumOf = (runs: readonly TextRun[]): number => runs.reduce((sum, { width }) => sum + width, 0);
