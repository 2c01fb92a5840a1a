/** Reads the text of PDFs. */
import { constants, inflateSync } from 'node:zlib';
import { getDocument, OPS } from 'pdfjs-dist/legacy/build/pdf.mjs';

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

/** The texts that stand beside glyphs which are not in the order of their letters. pdf.js does not read them. */
export function pdfMarkedTexts(file: Buffer): string[] {
  const bytes = file.toString('latin1');
  const contents = [...bytes.matchAll(/\/FlateDecode\s*>>\s*stream\r?\n/g)].map(({ index, 0: { length } }) =>
    inflateSync(file.subarray(index + length), { finishFlush: constants.Z_SYNC_FLUSH }).toString('latin1'),
  );
  return contents.flatMap((content) =>
    Array.from(content.matchAll(/\/ActualText \(((?:\\[\s\S]|[^\\)])*)\)/g), ([, text = '']) => {
      const plain = text.replace(/\\([\s\S])/g, (_, letter) => ESCAPES[letter] ?? letter);
      return new TextDecoder('utf-16be').decode(Buffer.from(plain, 'latin1'));
    }),
  );
}

const ESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

/** The numbers of all glyphs in their fonts; 0 is the empty box. */
export async function pdfGlyphs(file: Buffer): Promise<number[]> {
  const document = await getDocument({ data: new Uint8Array(file), verbosity: 0 }).promise;
  const glyphs: number[] = [];
  for (let number = 1; number <= document.numPages; number++) {
    const { fnArray, argsArray } = await (await document.getPage(number)).getOperatorList();
    for (const [at, operation] of fnArray.entries())
      if (operation === OPS.showText)
        for (const glyph of argsArray[at][0]) if (typeof glyph === 'object') glyphs.push(glyph.originalCharCode);
  }
  return glyphs;
}

/** The texts of the first page with the distance of each from the left, in points. */
export async function pdfItems(file: Buffer): Promise<{ text: string; left: number }[]> {
  const document = await getDocument({ data: new Uint8Array(file), verbosity: 0 }).promise;
  const { items } = await (await document.getPage(1)).getTextContent();
  return items.flatMap((item) => ('str' in item ? [{ text: item.str, left: item.transform[4] }] : []));
}

/** The language and the title of the file. */
export async function pdfProperties(file: Buffer): Promise<{ lang: string; title: string }> {
  const { info } = await (await getDocument({ data: new Uint8Array(file), verbosity: 0 }).promise).getMetadata();
  const { Language: lang, Title: title } = info as { Language: string; Title: string };
  return { lang, title };
}
