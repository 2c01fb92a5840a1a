/** Prepares a chosen file: detects its type by content, scales pictures and removes their location. */

import { MAX_DOCUMENT_FILE_BYTES } from '@nivida/contract/limits';
import type { DocumentFile } from '../bid-documents/vault-document.ts';
import { hashContent } from '../hash.ts';
import {
  brokenPictureText,
  type DocumentFileType,
  documentFileName,
  fileTypeOf,
  isPicture,
  pictureSize,
  TYPE_BYTES,
  tooLargeText,
  unreadableText,
  wrongTypeText,
} from './file-type.ts';

/** Thrown for a file that is not added; the message is for the user. */
export class FileRefusedError extends Error {
  override name = 'FileRefusedError';
}

/** A file that is ready to be stored. */
export interface PreparedFile extends DocumentFile {
  file: Blob;
}

const JPEG_QUALITY = 0.85;
/** A larger picture is not opened, because it would fill the memory of a phone. */
const MAX_PICTURE_BYTES = 50 * 1_048_576;

function toBlob(canvas: HTMLCanvasElement, type: string): Promise<Blob | null> {
  return new Promise((resolve) => canvas.toBlob(resolve, type, JPEG_QUALITY));
}

/**
 * Renders a picture upright and scaled. The new file has no camera data, so it has no location. Null for a
 * damaged picture.
 */
async function redraw(file: Blob, type: string): Promise<Blob | null> {
  const picture = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => null);
  if (!picture) return null;
  const canvas = document.createElement('canvas');
  try {
    Object.assign(canvas, pictureSize(picture.width, picture.height));
    const context = canvas.getContext('2d');
    if (!context) return null;
    if (type === 'image/jpeg') {
      // JPEG has no transparency, so the background is white.
      context.fillStyle = '#fff';
      context.fillRect(0, 0, canvas.width, canvas.height);
    }
    context.imageSmoothingQuality = 'high';
    context.drawImage(picture, 0, 0, canvas.width, canvas.height);
    return await toBlob(canvas, type);
  } finally {
    picture.close();
    // Frees the memory at once.
    canvas.width = 0;
  }
}

/** The file to store. A PDF stays as it is; a picture becomes PNG or JPEG. */
async function storedFile(
  file: File,
  type: DocumentFileType,
  maxBytes: number,
): Promise<{ file: Blob; type: DocumentFileType }> {
  if (!isPicture(type)) return { file, type };
  if (file.size > MAX_PICTURE_BYTES) throw new FileRefusedError(tooLargeText(file.name, file.size, maxBytes));
  const png = type === 'image/png' ? await redraw(file, 'image/png') : null;
  if (png && png.size <= maxBytes) return { file: png, type: 'image/png' };
  const jpeg = await redraw(file, 'image/jpeg');
  if (!jpeg) throw new FileRefusedError(brokenPictureText(file.name));
  return { file: jpeg, type: 'image/jpeg' };
}

/** Checks a file and prepares it; `maxBytes` is its limit afterwards. Throws FileRefusedError. */
export async function prepareFile(chosen: File, maxBytes = MAX_DOCUMENT_FILE_BYTES): Promise<PreparedFile> {
  const start = await chosen
    .slice(0, TYPE_BYTES)
    .arrayBuffer()
    .catch(() => {
      throw new FileRefusedError(unreadableText(chosen.name));
    });
  const chosenType = fileTypeOf(new Uint8Array(start));
  if (!chosenType) throw new FileRefusedError(wrongTypeText(chosen.name));
  const { file, type } = await storedFile(chosen, chosenType, maxBytes);
  if (file.size > maxBytes) throw new FileRefusedError(tooLargeText(chosen.name, file.size, maxBytes));
  const content = await file.arrayBuffer().catch(() => {
    throw new FileRefusedError(unreadableText(chosen.name));
  });
  return {
    hash: await hashContent(content),
    name: documentFileName(chosen.name, type),
    type,
    bytes: content.byteLength,
    // A copy, because the chosen file may be removed from the phone.
    file: new Blob([content], { type }),
  };
}
