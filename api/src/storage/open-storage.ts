import type { StorageLocation } from '../base/storage-location.ts';
import { BucketStorage } from './bucket-storage.ts';
import type { FileStorage } from './file-storage.ts';
import { FolderStorage } from './folder-storage.ts';

/** `temporaryFolder` holds local copies of files of a bucket. */
export const openStorage = (location: StorageLocation, temporaryFolder: string): FileStorage =>
  location.kind === 'folder' ? new FolderStorage(location.path) : new BucketStorage(location, temporaryFolder);
