import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { crc32, deflateSync } from 'node:zlib';
import PDFDocument from 'pdfkit';

/** A line of a page: its cells at fixed places, or at `at`. */
export interface PdfLine {
  cells: string[];
  at?: number[];
  size?: number;
  /** Distance to the line before; unit: points. */
  gap?: number;
  /** Where the cells are printed again, beside their place. */
  copies?: [x: number, y: number][];
  /** Letter by letter, each with its copies. */
  byLetter?: boolean;
  /** Of each cell only this letter has copies. */
  onlyLetter?: number;
  /** Unit: degrees. */
  turn?: number;
  font?: 'devanagari';
  /** A picture over the page. */
  picture?: boolean;
}

const MARGIN = 50;
/** Where cells begin when there are one, two or three. */
const PLACES = [[MARGIN], [MARGIN, 290], [MARGIN, 85, 290], [MARGIN, 85, 290, 440]];
const DEVANAGARI = join(
  import.meta.dirname,
  '../../../../node_modules/@fontsource/noto-sans-devanagari/files/noto-sans-devanagari-devanagari-400-normal.woff',
);

/** A PDF with these lines on its pages. */
export async function pdfOf(pages: readonly PdfLine[][]): Promise<Buffer> {
  const pdf = new PDFDocument({ size: 'A4', margin: 0, autoFirstPage: false });
  for (const lines of pages) {
    pdf.addPage();
    let y = MARGIN;
    for (const line of lines) {
      y += line.gap ?? 22;
      if (line.picture) pdf.image(picture(), 0, 0, { width: 500 });
      pdf.font(line.font ? DEVANAGARI : 'Helvetica').fontSize(line.size ?? 10);
      const places = line.at ?? PLACES[line.cells.length - 1] ?? line.cells.map((_, n) => MARGIN + n * 95);
      pdf.save();
      if (line.turn) pdf.rotate(line.turn, { origin: [places[0] ?? 0, y] });
      for (const [n, text] of line.cells.entries()) printCell(pdf, line, text, places[n] ?? MARGIN, y);
      pdf.restore();
    }
  }
  pdf.end();
  return buffer(pdf);
}

function printCell(pdf: PDFKit.PDFDocument, line: PdfLine, text: string, left: number, y: number): void {
  const copies = line.copies ?? [];
  const parts = line.byLetter ? [...text] : [text];
  let x = left;
  for (const [n, part] of parts.entries()) {
    const places = line.onlyLetter === undefined || line.onlyLetter === n ? [[0, 0], ...copies] : [[0, 0]];
    for (const [dx = 0, dy = 0] of places) pdf.text(part, x + dx, y + dy, { lineBreak: false });
    x += pdf.widthOfString(part);
  }
}

/** A grey PNG of 200 by 200 points. */
function picture(): Buffer {
  const size = 200;
  const chunk = (type: string, data: Buffer) => {
    const content = Buffer.concat([Buffer.from(type), data]);
    const head = Buffer.alloc(4);
    head.writeUInt32BE(data.length);
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32(content));
    return Buffer.concat([head, content, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header[8] = 8;
  const rows = deflateSync(Buffer.alloc(size * (size + 1), 0).map((_, n) => (n % (size + 1) === 0 ? 0 : n % 200)));
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
