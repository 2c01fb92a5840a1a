/** PDF documents: A4, Noto Sans for Latin and Devanagari with ₹. */
import { createRequire } from 'node:module';
import PDFDocument from 'pdfkit';

const require = createRequire(import.meta.url);

/** Each font covers a part of Unicode; a text uses the first font that has its letters. */
const FONTS = {
  latin: '@fontsource/noto-sans/files/noto-sans-latin',
  'latin-ext': '@fontsource/noto-sans/files/noto-sans-latin-ext',
  devanagari: '@fontsource/noto-sans-devanagari/files/noto-sans-devanagari-devanagari',
};
type FontName = keyof typeof FONTS;

// WOFF instead of WOFF2, whose outlines cannot be subset cheaply.
const fontFile = (name: FontName, weight: 400 | 700) => require.resolve(`${FONTS[name]}-${weight}-normal.woff`);

// biome-ignore lint/suspicious/noMisleadingCharacterClass: joiners are looked for one by one
const DEVANAGARI = /[\u0900-\u097f\u1cd0-\u1cff\u200c\u200d\ua8e0-\ua8ff]/u;
// The rupee sign, and letters with marks.
const LATIN_EXTENDED = /[\u0100-\u02ba\u02bd-\u02c5\u02c7-\u02cc\u1e00-\u1eff\u2020\u20a0-\u20ab\u20ad-\u20c0]/u;

const TEXT_COLOR = '#14171c';
const MUTED_COLOR = '#505965';
const RULE_COLOR = '#dadee4';
const WATERMARK_COLOR = '#b3261e';
const MARGIN = 48;
const LABEL_WIDTH = 150;

export interface TextStyle {
  size?: number;
  bold?: boolean;
  color?: string;
  align?: 'left' | 'right';
}

/** A document, written from the top of the page down. `watermark` is printed across every page. */
export class PdfDocument {
  private readonly doc: PDFKit.PDFDocument;
  private readonly chunks: Buffer[] = [];
  private readonly finished: Promise<void>;

  constructor(
    title: string,
    createdAt: Date,
    private readonly watermark?: string,
  ) {
    this.doc = new PDFDocument({
      size: 'A4',
      margin: MARGIN,
      lang: 'en-IN',
      // Set, because pdfkit would look for its default font on the machine.
      font: fontFile('latin', 400),
      info: { Title: title, Producer: 'Nivida', Creator: 'Nivida', CreationDate: createdAt },
    });
    for (const name of Object.keys(FONTS) as FontName[])
      for (const weight of [400, 700] as const) this.doc.registerFont(`${name} ${weight}`, fontFile(name, weight));
    this.doc.on('data', (chunk: Buffer) => this.chunks.push(chunk));
    this.finished = new Promise((done) => this.doc.on('end', done));
    this.doc.on('pageAdded', () => this.drawWatermark());
    this.drawWatermark();
  }

  /** Vertical space in points. */
  space(points: number): this {
    this.doc.y += points;
    return this;
  }

  /** One paragraph. */
  text(text: string, style: TextStyle = {}): this {
    this.drawText(text, style, MARGIN, this.width);
    return this;
  }

  heading(text: string): this {
    this.breakPageUnlessFits(48);
    return this.space(10).text(text, { size: 12, bold: true }).space(2).rule();
  }

  rule(): this {
    const { doc } = this;
    doc
      .moveTo(MARGIN, doc.y)
      .lineTo(MARGIN + this.width, doc.y)
      .lineWidth(0.5)
      .stroke(RULE_COLOR);
    return this.space(6);
  }

  /** A label with its value; left out without a value. */
  fact(label: string, value: string | null | undefined): this {
    if (!value) return this;
    this.breakPageUnlessFits(16);
    const top = this.doc.y;
    this.drawText(label, { size: 9, color: MUTED_COLOR }, MARGIN, LABEL_WIDTH - 8);
    const below = this.doc.y;
    this.doc.y = top;
    this.drawText(value, { size: 9 }, MARGIN + LABEL_WIDTH, this.width - LABEL_WIDTH);
    this.doc.y = Math.max(this.doc.y, below) + 3;
    return this;
  }

  /** A row of a table; `share` is a cell's fraction of the width. */
  row(cells: readonly { text: string; share: number; align?: 'right' }[], style: TextStyle = {}): this {
    this.breakPageUnlessFits(24);
    const top = this.doc.y;
    let left = MARGIN;
    let bottom = top;
    for (const { text, share, align } of cells) {
      const width = this.width * share;
      this.doc.y = top;
      this.drawText(text, { size: 9, ...style, ...(align && { align }) }, left, width - 6);
      bottom = Math.max(bottom, this.doc.y);
      left += width;
    }
    this.doc.y = bottom + 4;
    return this;
  }

  /** The bytes of the finished PDF. */
  async finish(): Promise<Buffer> {
    this.doc.end();
    await this.finished;
    return Buffer.concat(this.chunks);
  }

  private get width(): number {
    return this.doc.page.width - 2 * MARGIN;
  }

  private breakPageUnlessFits(points: number): void {
    if (this.doc.y + points > this.doc.page.height - MARGIN) this.doc.addPage();
  }

  private drawText(
    text: string,
    { size = 10, bold = false, color = TEXT_COLOR, align = 'left' }: TextStyle,
    x: number,
    width: number,
  ) {
    const runs = splitByFont(text);
    const weight = bold ? 700 : 400;
    this.doc.fontSize(size).fillColor(color);
    // pdfkit cannot align a line of several fonts, so the line is shifted here.
    const shift = align === 'right' ? Math.max(0, width - this.widthOf(runs, weight)) : 0;
    const { y } = this.doc;
    for (const [index, { font, text: part }] of runs.entries()) {
      const continued = index < runs.length - 1;
      this.doc.font(`${font} ${weight}`);
      if (index === 0) this.doc.text(part, x + shift, y, { width: width - shift + 1, continued });
      else this.doc.text(part, { continued });
    }
  }

  private widthOf(runs: readonly TextRun[], weight: 400 | 700): number {
    return runs.reduce((sum, { font, text }) => sum + this.doc.font(`${font} ${weight}`).widthOfString(text), 0);
  }

  private drawWatermark(): void {
    if (!this.watermark) return;
    const { doc } = this;
    const { x, y } = doc;
    const size = this.watermark.length > 8 ? 64 : 120;
    doc.save().fillColor(WATERMARK_COLOR).opacity(0.12).font('latin 700').fontSize(size);
    const width = doc.widthOfString(this.watermark);
    const middle = { x: doc.page.width / 2, y: doc.page.height / 2 };
    doc.rotate(-45, { origin: [middle.x, middle.y] });
    doc.text(this.watermark, middle.x - width / 2, middle.y - size / 2, { lineBreak: false, width: width + 10 });
    doc.restore().opacity(1);
    doc.x = x;
    doc.y = y;
  }
}

interface TextRun {
  font: FontName;
  text: string;
}

/** Splits a text where the font changes. Spaces and digits belong to the preceding run. */
function splitByFont(text: string): TextRun[] {
  const runs: TextRun[] = [];
  // Tabs and other control characters have no glyph.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
  for (const letter of text.replace(/[\u0000-\u0009\u000b-\u001f\u007f]/g, ' ')) {
    const font = DEVANAGARI.test(letter) ? 'devanagari' : LATIN_EXTENDED.test(letter) ? 'latin-ext' : 'latin';
    const last = runs.at(-1);
    if (last && (last.font === font || (letter === ' ' && last.font === 'devanagari'))) last.text += letter;
    else runs.push({ font, text: letter });
  }
  return runs.length > 0 ? runs : [{ font: 'latin', text: ' ' }];
}
