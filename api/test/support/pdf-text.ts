/** Reads the text of PDFs. */
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** The text of all pages, one line each. */
export const pdfText = async (file: Buffer): Promise<string> => (await pdfPages(file)).join('\n');

/** The text of each page. */
export async function pdfPages(file: Buffer): Promise<string[]> {
  const document = await getDocument({ data: new Uint8Array(file), verbosity: 0 }).promise;
  const pages: string[] = [];
  for (let number = 1; number <= document.numPages; number++) {
    const { items } = await (await document.getPage(number)).getTextContent();
    pages.push(items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : '')).join(''));
  }
  return pages;
}
