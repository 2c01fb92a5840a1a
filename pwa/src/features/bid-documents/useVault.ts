/** Live queries of the current owner's vault. */
import { useMemo } from 'react';
import type { VaultDocument } from '../../data/bid-documents/vault-document.ts';
import type { DeviceQuery } from '../../data/device/live-query.ts';
import type { RecordRow } from '../../data/device/schema.ts';
import { useSpaceRows } from '../../data/firms/useSpaceRows.ts';
import { useRecords } from '../../data/records/useRecords.ts';

const toVaultDocument = ({ id, fields }: RecordRow<'bidDocument'>): VaultDocument => ({ id, ...fields });

/** The documents. Undefined while they are read. */
export function useVaultDocuments(): VaultDocument[] | undefined {
  const rows = useRecords('bidDocument');
  return useMemo(() => rows?.map(toVaultDocument), [rows]);
}

const loadStoredHashes = async (): Promise<DeviceQuery<Set<string>>> => {
  const { storedHashes } = await import('../../data/bid-documents/files.ts');
  return storedHashes;
};

const NONE: ReadonlySet<string> = new Set();

/** The hashes of the files on this device. Until they are read, the hashes of all listed files. */
export function useStoredHashes(): { hashes: ReadonlySet<string>; isRead: boolean } {
  const { rows } = useSpaceRows(loadStoredHashes);
  return { hashes: rows ?? NONE, isRead: rows !== undefined };
}
