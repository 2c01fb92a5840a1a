/** The page of a web archive (.mhtml), as browsers save it. */
import { UnreadableFileError } from '../source-tender.ts';

/** The first HTML document of the archive. Throws UnreadableFileError. */
export function archivedPage(text: string): string {
  const boundary = /boundary="?([^"\r\n;]+)"?/i.exec(text)?.[1];
  const parts = boundary === undefined ? [] : text.split(`--${boundary}`);
  for (const part of parts.slice(1)) {
    const [, head = '', body = ''] = /^\r?\n([\s\S]*?)\r?\n\r?\n([\s\S]*)$/.exec(part) ?? [];
    if (!/^content-type:\s*text\/html/im.test(head)) continue;
    const encoding = /^content-transfer-encoding:\s*(\S+)/im.exec(head)?.[1]?.toLowerCase();
    if (encoding === 'quoted-printable') return decodeQuotedPrintable(body);
    return encoding === 'base64' ? Buffer.from(body, 'base64').toString() : body;
  }
  throw new UnreadableFileError('is a web archive without a page: save the page as HTML');
}

function decodeQuotedPrintable(text: string): string {
  const bytes = text
    .replace(/=\r?\n/g, '')
    .replace(/=([\dA-F]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  // Encoded bytes are UTF-8; text that was not encoded is ASCII.
  return Buffer.from(bytes, 'latin1').toString();
}
