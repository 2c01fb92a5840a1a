/** PDFs byte by byte, for what a library does not write. */

/** Object 1 is the catalogue. With `withTable: false` the table of objects is missing. */
export function rawPdf(objects: readonly (string | Buffer)[], { withTable = true } = {}): Buffer {
  const parts = [Buffer.from('%PDF-1.7\n')];
  let length = parts[0]?.length ?? 0;
  const offsets = objects.map((object, n) => {
    const part = Buffer.concat([Buffer.from(`${n + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n')]);
    parts.push(part);
    length += part.length;
    return length - part.length;
  });
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const count = objects.length + 1;
  const table = withTable ? `xref\n0 ${count}\n0000000000 65535 f \n${rows}` : '';
  parts.push(Buffer.from(`${table}trailer << /Size ${count} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF`));
  return Buffer.concat(parts);
}

export const rawStream = (content: string | Buffer, entries = ''): Buffer =>
  Buffer.concat([
    Buffer.from(`<< ${entries} /Length ${Buffer.byteLength(content)} >>\nstream\n`),
    Buffer.from(content),
    Buffer.from('\nendstream'),
  ]);

const FONT = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';
const textContent = (text: string) => `BT /F1 11 Tf 50 700 Td (${text}) Tj ET`;

/** Catalogue, page tree, page, content, font: a document of one page. `content` is an object. */
export const onePage = (
  content: string | Buffer = rawStream(textContent('Earnest Money : Rs. 12,300')),
  kids = '[3 0 R]',
) => [
  '<< /Type /Catalog /Pages 2 0 R >>',
  `<< /Type /Pages /Kids ${kids} /Count 1 >>`,
  '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
  content,
  FONT,
];

/** A page whose # shows a ligature, as "Print to PDF" writes them. */
export function ligaturePdf(text: string, ligature: string): Buffer {
  const code = ligature.charCodeAt(0).toString(16).padStart(4, '0');
  const map = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap
1 begincodespacerange <00> <ff> endcodespacerange
1 beginbfchar <23> <${code}> endbfchar
2 beginbfrange <20> <22> <0020> <24> <7e> <0024> endbfrange
endcmap end end`;
  return rawPdf([
    ...onePage(rawStream(textContent(text))).slice(0, 4),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 6 0 R >>',
    rawStream(map),
  ]);
}
