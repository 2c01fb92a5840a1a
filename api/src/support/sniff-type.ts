import type { AttachmentType } from '@nivida/contract/support/attachments';

const startsWith = (bytes: Buffer, text: string, at = 0): boolean =>
  bytes.subarray(at, at + text.length).equals(Buffer.from(text, 'latin1'));

/** What a file is by its bytes; undefined for a type that is not taken. A name or a header may lie. */
export function sniffType(bytes: Buffer): AttachmentType | undefined {
  if (startsWith(bytes, '\x89PNG\r\n\x1a\n')) return 'image/png';
  if (startsWith(bytes, '\xff\xd8\xff')) return 'image/jpeg';
  if (startsWith(bytes, 'RIFF') && startsWith(bytes, 'WEBP', 8)) return 'image/webp';
  if (startsWith(bytes, '%PDF-')) return 'application/pdf';
  return isText(bytes) ? 'text/plain' : undefined;
}

/** Whether bytes are text in UTF-8 without control characters other than tab and line ends, and not markup that a browser may run. */
function isText(bytes: Buffer): boolean {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.length > 0 && !/[^\P{Cc}\t\r\n\f]/u.test(text) && !/^\s*</.test(text);
  } catch {
    return false;
  }
}
