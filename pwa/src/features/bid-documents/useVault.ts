/** The vault of the current owner, live. */
import { useMemo } from 'react';
import type { VaultDocument } from '../../data/bid-documents/vault-document.ts';
import { type DeviceQuery, useLiveRows } from '../../data/device/live-query.ts';
import type { RecordRow } from '../../data/device/schema.ts';
import { useRecords } from '../../data/records/useRecords.ts';

const toVaultDocument = ({ id, fields }: RecordRow<'bidDocument'>): VaultDocument => ({ id, ...fields });

/** The documents; undefined while they are read. */
export function useVaultDocuments(): VaultDocument[] | undefined {
  const rows = useRecords('bidDocument');
  return useMemo(() => rows?.map(toVaultDocument), [rows]);
}

const loadStoredHashes = async (): Promise<DeviceQuery<Set<string>>> => {
  const { storedHashes } = await import('../../data/bid-documents/files.ts');
  return storedHashes;
};

const NONE: ReadonlySet<string> = new Set();

/** The hashes of the files that are on this device; all listed ones until they are read. */
export function useStoredHashes(): { hashes: ReadonlySet<string>; isRead: boolean } {
  const { rows } = useLiveRows(loadStoredHashes);
  return { hashes: rows ?? NONE, isRead: rows !== undefined };
}
