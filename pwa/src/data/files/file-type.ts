/** Rules for files that the user adds: type by content, size, name, and the size of a picture. */
import { t } from '@lingui/core/macro';
import { formatBytes } from '@nivida/contract/format';

export type DocumentFileType = 'application/pdf' | 'image/jpeg' | 'image/png' | 'image/webp';

const EXTENSIONS: Record<DocumentFileType, string> = {
  'application/pdf': 'pdf',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
};

/** The types for the file input. */
export const ACCEPTED_TYPES = Object.keys(EXTENSIONS).join(',');

/** Number of bytes that are read to find the type. A PDF may have other bytes before its signature. */
export const TYPE_BYTES = 1_024;

const latin1 = (bytes: Uint8Array, from: number, to: number): string =>
  String.fromCharCode(...bytes.subarray(from, to));

/** The type by the first bytes, never by the name. Undefined for a type that is not accepted. */
export function fileTypeOf(start: Uint8Array): DocumentFileType | undefined {
  if (start[0] === 0xff && start[1] === 0xd8 && start[2] === 0xff) return 'image/jpeg';
  if (latin1(start, 0, 8) === '\x89PNG\r\n\x1a\n') return 'image/png';
  if (latin1(start, 0, 4) === 'RIFF' && latin1(start, 8, 12) === 'WEBP') return 'image/webp';
  if (latin1(start, 0, TYPE_BYTES).includes('%PDF-')) return 'application/pdf';
  return undefined;
}

export const isPicture = (type: string): boolean => type.startsWith('image/');

/** The longer side of a stored picture in pixels. */
const MAX_PICTURE_SIDE = 2_000;

/** The size of a stored picture; a small one has its own size. */
export function pictureSize(width: number, height: number): { width: number; height: number } {
  const scale = Math.min(1, MAX_PICTURE_SIDE / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

const MAX_NAME_CHARACTERS = 100;

/** The name of a stored file: without a path, with the extension of its type. */
export function documentFileName(name: string, type: DocumentFileType): string {
  const base = name
    .split(/[/\\]/)
    .pop()
    ?.replace(/\.[^.]*$/, '')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed
    .replace(/[\u0000-\u001f\u007f]/g, '')
    .trim()
    .slice(0, MAX_NAME_CHARACTERS)
    // Removes half a surrogate pair, such as the first half of an emoji that was cut. Records refuse it.
    .replace(/\p{Cs}/gu, '');
  return `${base || 'document'}.${EXTENSIONS[type]}`;
}

/** Why a file is not added. */
export const wrongTypeText = (name: string): string =>
  t`“${name}” is not a PDF, JPEG, PNG or WebP file. It was not added.`;
export const tooLargeText = (name: string, bytes: number, maxBytes: number): string =>
  t`“${name}” has ${{ size: formatBytes(bytes) }}. A file may have at most ${{ limit: `${maxBytes / 1_000_000} MB` }}. It was not added.`;
export const brokenPictureText = (name: string): string =>
  t`“${name}” could not be opened as a picture. It may be damaged. It was not added.`;
export const unreadableText = (name: string): string => t`“${name}” could not be read. It was not added.`;
