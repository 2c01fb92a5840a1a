/** Opens a page of a document in a package that is saved on the device. */
import { useEffect, useState } from 'react';
import { withDatabase } from '../../data/device/database.ts';
import { hashContent } from '../../data/hash.ts';
import { saveFile } from '../../ui/save-file.ts';

/** How long the address of an opened document stays valid: a slow phone reads it in pieces. */
const ADDRESS_LIFETIME_MS = 10 * 60_000;

const baseName = (path: string): string => path.split('/').at(-1) ?? path;

/** The entries of a zip file with a name, in any folder. */
async function entriesNamed(zip: Uint8Array, name: string): Promise<Uint8Array<ArrayBuffer>[]> {
  const { unzipSync } = await import('fflate');
  const entries = unzipSync(zip, { filter: (entry) => baseName(entry.name) === baseName(name) });
  return Object.values(entries);
}

/**
 * A document of a zip file by its name in the reading; a file within an archive is 'documents.zip/nit.pdf'. Of several with
 * one name, the one with the checksum. Undefined when there is none.
 */
export async function findInPackage(
  zip: Uint8Array,
  { name, sha256 }: { name: string; sha256: string },
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const [, archive, inner = name] = /^(.+?\.zip)\/(.+)$/i.exec(name) ?? [];
  const archives = archive === undefined ? [zip] : await entriesNamed(zip, archive);
  const found = (await Promise.all(archives.map((each) => entriesNamed(each, inner)))).flat();
  for (const file of found) if ((await hashContent(file.buffer)) === sha256) return file;
  return found[0];
}

/**
 * 'opened': the browser shows the page. 'saved': it cannot show a PDF by itself, so the document is saved as a file.
 * 'missing': the package or the document in it is not on the device.
 */
export type PageOpening = 'opened' | 'saved' | 'missing';

/** Opens a document of an owner's stored package at a page. Works without a connection. */
export async function openPackagePage(
  owner: string,
  nit: string,
  document: { name: string; sha256: string },
  page: number,
): Promise<PageOpening> {
  const row = await withDatabase((db) => db.packageFiles.get([owner, nit]));
  const content = row && (await findInPackage(new Uint8Array(row.file), document));
  if (!content) return 'missing';
  const file = new Blob([content], { type: 'application/pdf' });
  if (navigator.pdfViewerEnabled) {
    const address = URL.createObjectURL(file);
    setTimeout(() => URL.revokeObjectURL(address), ADDRESS_LIFETIME_MS);
    if (window.open(`${address}#page=${page}`, '_blank')) return 'opened';
  }
  saveFile(baseName(document.name), file);
  return 'saved';
}

/** Whether an owner's package of an NIT is on this device. False until it is known. */
export function useIsPackageHere(owner: string, nit: string): boolean {
  const [isHere, setIsHere] = useState(false);
  useEffect(() => {
    let isWanted = true;
    // Counts in the index, because the files are large.
    withDatabase((db) => db.packageFiles.where({ owner, nit }).count()).then(
      (count) => isWanted && setIsHere(count > 0),
      () => undefined,
    );
    return () => {
      isWanted = false;
    };
  }, [owner, nit]);
  return isHere;
}
