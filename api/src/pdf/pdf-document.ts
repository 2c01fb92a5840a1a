/** PDF documents: A4, in Noto Sans, in the present language. */
import { currentLanguage } from '@nivida/contract/i18n';
import { LANGUAGES } from '@nivida/contract/languages';
import PDFDocument from 'pdfkit';
import { type FontName, type FontWeight, loadFont, shapeText } from './fonts.ts';
import { type TextLine, type TextWidths, textLines } from './text-lines.ts';

const TEXT_COLOR = '#14171c';
const MUTED_COLOR = '#505965';
const RULE_COLOR = '#dadee4';
const WATERMARK_COLOR = '#b3261e';
const MARGIN = 48;
const LABEL_WIDTH = 150;
/** The features by which pdfkit gives the direction of a text. */
const RIGHT_TO_LEFT = 'rtla';

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
  private readonly registered = new Set<string>();
  private readonly widths: TextWidths = new Map();

  constructor(
    title: string,
    createdAt: Date,
    private readonly watermark?: string,
  ) {
    this.doc = new PDFDocument({
      size: 'A4',
      margin: MARGIN,
      lang: LANGUAGES[currentLanguage()].locale,
      // None, because pdfkit would look for its default font on the machine.
      font: '',
      info: { Title: title, Producer: 'Nivida', Creator: 'Nivida', CreationDate: createdAt },
    });
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
    return this.columns([{ text, style, left: 0, width: this.width }]);
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
    return this.columns([
      { text: label, style: { size: 9, color: MUTED_COLOR }, left: 0, width: LABEL_WIDTH - 8 },
      { text: value, style: { size: 9 }, left: LABEL_WIDTH, width: this.width - LABEL_WIDTH },
    ]).space(3);
  }

  /** A row of a table; `share` is a cell's fraction of the width. */
  row(cells: readonly { text: string; share: number; align?: 'right' }[], style: TextStyle = {}): this {
    this.breakPageUnlessFits(24);
    let left = 0;
    const columns = cells.map(({ text, share, align }) => {
      const width = this.width * share;
      left += width;
      return { text, style: { size: 9, ...style, ...(align && { align }) }, left: left - width, width: width - 6 };
    });
    return this.columns(columns).space(4);
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

  /** Texts beside each other. Lines that do not fit are on the next page. */
  private columns(columns: readonly Column[]): this {
    const texts = columns.map((column) => {
      const { size = 10, bold = false, color = TEXT_COLOR, align = 'left' } = column.style;
      const weight: FontWeight = bold ? 700 : 400;
      const lines = textLines(column.text, weight, column.width / size, this.widths);
      return { ...column, size, weight, color, align, lines };
    });
    const extent = (at: number, side: 'ascent' | 'descent') =>
      Math.max(...texts.map(({ lines, size }) => (lines[at]?.[side] ?? 0) * size));
    const count = Math.max(...texts.map(({ lines }) => lines.length));
    for (let start = 0; start < count; ) {
      this.breakPageUnlessFits(extent(start, 'ascent') + extent(start, 'descent'));
      const baselines: number[] = [];
      for (let at = start; at < count; at++) {
        const ascent = extent(at, 'ascent');
        const end = this.doc.y + ascent + extent(at, 'descent');
        if (at > start && end > this.doc.page.height - MARGIN) break;
        baselines.push(this.doc.y + ascent);
        this.doc.y = end;
      }
      const bottom = this.doc.y;
      for (const { lines, size, weight, color, align, left, width } of texts) {
        for (const [at, baseline] of baselines.entries()) {
          const line = lines[start + at];
          if (!line) break;
          const shift = align === 'right' ? width - line.width * size : 0;
          this.doc.fillColor(color);
          this.drawLine(line, size, weight, MARGIN + left + shift, baseline);
        }
      }
      this.doc.y = bottom;
      start += baselines.length;
    }
    return this;
  }

  private drawLine({ runs }: TextLine, size: number, weight: FontWeight, left: number, baseline: number): void {
    const { doc } = this;
    let x = left;
    for (const { font, text, isRightToLeft, width } of runs) {
      this.useFont(font, weight);
      const write = () =>
        doc.fontSize(size).text(text, x, baseline, {
          lineBreak: false,
          baseline: 'alphabetic',
          features: [isRightToLeft ? RIGHT_TO_LEFT : 'ltra'],
        });
      if (/^latin|arabic/.test(font)) write();
      else this.withText(text, write);
      x += width * size;
    }
  }

  /**
   * Marks the glyphs that `write` writes with their text, to be copied, found and read aloud. The glyphs of Indian scripts are
   * in another order. The marks are inside pdfkit's transformation, because a reader places the text by it.
   */
  private withText(text: string, write: () => void): void {
    const { doc } = this;
    const { addContent } = doc;
    doc.addContent = (content) => {
      if (content === 'BT') doc.markContent('Span', { actual: text });
      addContent.call(doc, content);
      if (content === 'ET') doc.endMarkedContent();
      return doc;
    };
    try {
      write();
    } finally {
      doc.addContent = addContent;
    }
  }

  /** Sets pdfkit's font, and lets HarfBuzz shape its texts. */
  private useFont(name: FontName, weight: FontWeight): void {
    const key = `${name} ${weight}`;
    const loaded = loadFont(name, weight);
    if (!this.registered.has(key)) this.doc.registerFont(key, loaded.bytes);
    this.doc.font(key);
    if (this.registered.has(key)) return;
    this.registered.add(key);
    const { font } = (this.doc as unknown as { _font: { font: FontkitFont } })._font;
    font.layout = (text, features) => {
      const shaped = shapeText(loaded, text, features.includes(RIGHT_TO_LEFT));
      const positions = shaped.map(({ position }) => position);
      return {
        glyphs: shaped.map(({ id, codePoints }) => font.getGlyph(id, codePoints)),
        positions,
        // pdfkit scales the positions first.
        get advanceWidth() {
          return positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0);
        },
      };
    };
  }

  private drawWatermark(): void {
    if (!this.watermark) return;
    const { doc } = this;
    const { y } = doc;
    const size = this.watermark.length > 8 ? 64 : 120;
    const middle = { x: doc.page.width / 2, y: doc.page.height / 2 };
    doc.save().fillColor(WATERMARK_COLOR).opacity(0.12);
    doc.rotate(-45, { origin: [middle.x, middle.y] });
    for (const line of textLines(this.watermark, 700, Number.POSITIVE_INFINITY, this.widths)) {
      const top = middle.y - size / 2;
      this.drawLine(line, size, 700, middle.x - (line.width * size) / 2, top + line.ascent * size);
    }
    doc.restore().opacity(1);
    doc.y = y;
  }
}

/** A text at a distance from the margin. */
interface Column {
  text: string;
  style: TextStyle;
  left: number;
  width: number;
}

/** The part of a font of fontkit that pdfkit calls to shape a text. */
interface FontkitFont {
  layout: (text: string, features: readonly string[]) => object;
  getGlyph: (id: number, codePoints: readonly number[]) => object;
}
