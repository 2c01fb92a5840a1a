/** The formats that are read, by the first bytes of a file and not by its name. */

export const READABLE_FORMATS = ['pdf', 'xls', 'xlsx'] as const;
export type ReadableFormat = (typeof READABLE_FORMATS)[number];

/** How many bytes decide. Programs for PDF accept other bytes before its signature. */
export const FORMAT_BYTES = 1_024;
const PDF_MAGIC = [...'%PDF-'].map((letter) => letter.charCodeAt(0));
const XLS_MAGIC = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
const XLSX_MAGIC = [0x50, 0x4b, 0x03, 0x04];

/** The format by the first bytes; undefined for one that is not read. Other documents of Office begin like workbooks. */
export function readableFormat(start: Uint8Array): ReadableFormat | undefined {
  const isAt = (magic: readonly number[], at: number) => magic.every((byte, index) => start[at + index] === byte);
  if (isAt(XLS_MAGIC, 0)) return 'xls';
  if (isAt(XLSX_MAGIC, 0)) return 'xlsx';
  for (let at = 0; at < FORMAT_BYTES; at += 1) if (isAt(PDF_MAGIC, at)) return 'pdf';
  return undefined;
}
