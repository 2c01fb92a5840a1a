import { buffer } from 'node:stream/consumers';
import PDFDocument from 'pdfkit';

/** A line of a page: its cells at fixed places, or at `at`. */
export interface PdfLine {
  cells: string[];
  at?: number[];
  size?: number;
  /** Distance to the line before; unit: points. */
  gap?: number;
}

const MARGIN = 50;
/** Where cells begin when there are one, two or three. */
const PLACES = [[MARGIN], [MARGIN, 290], [MARGIN, 85, 290], [MARGIN, 85, 290, 440]];

/** A PDF with these lines on its pages. */
export async function pdfOf(pages: readonly PdfLine[][]): Promise<Buffer> {
  const pdf = new PDFDocument({ size: 'A4', margin: 0, autoFirstPage: false });
  for (const lines of pages) {
    pdf.addPage();
    let y = MARGIN;
    for (const { cells, at, size = 10, gap = 22 } of lines) {
      y += gap;
      pdf.fontSize(size);
      const places = at ?? PLACES[cells.length - 1] ?? cells.map((_, n) => MARGIN + n * 95);
      for (const [n, text] of cells.entries()) pdf.text(text, places[n], y, { lineBreak: false });
    }
  }
  pdf.end();
  return buffer(pdf);
}
