/** Data in at the desk: reads, and the calls that send a file and count it. */
import {
  type CountFileRequest,
  DATA_PART_BYTES,
  DeskFeedList,
  DeskFile,
  DeskFileList,
  DeskKeyList,
  DeskPortalList,
  FileColumns,
  StagedFile,
} from '@nivida/contract/desk/data-in';
import { useEffect } from 'react';
import { assertOnline, isConnectionError } from '../../../data/server/api.ts';
import type { QueryResult } from '../../../data/server/query-cache.ts';
import { saveFile } from '../../../ui/save-file.ts';
import { callDesk, readDeskFile } from '../data/desk-call.ts';
import { createDeskQuery, useDeskQuery } from '../data/desk-query.ts';

const filesCache = createDeskQuery(DeskFileList);
const fileCache = createDeskQuery(DeskFile);
const columnsCache = createDeskQuery(FileColumns);
const feedsCache = createDeskQuery(DeskFeedList);
const keysCache = createDeskQuery(DeskKeyList);
const portalsCache = createDeskQuery(DeskPortalList);

/** Pause between two looks at a file that a worker reads, or at a feed. */
const LOOK_EVERY_MS = 1_000;

/** Loads again each second while something is going on. */
function useReloading({ reload }: { reload: () => void }, isRunning: boolean): void {
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(reload, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [reload, isRunning]);
}

export const isBeingRead = (file: Pick<DeskFile, 'status'> | undefined): boolean =>
  file?.status === 'waiting' || file?.status === 'running';

export const useDeskFiles = (page: string): QueryResult<DeskFileList> =>
  useDeskQuery(filesCache, `data/files?page=${page || 1}`);

/** A file, as it is read. */
export function useDeskFile(id: string): QueryResult<DeskFile> {
  const query = useDeskQuery(fileCache, `data/files/${id}`);
  useReloading(query, isBeingRead(query.answer));
  return query;
}

/** The columns of a file. Null makes no call. */
export const useFileColumns = (id: string | null, portal: string): QueryResult<FileColumns> =>
  useDeskQuery(
    columnsCache,
    id === null ? null : `data/files/${id}/columns${portal === '' ? '' : `?${new URLSearchParams({ portal })}`}`,
  );

/** The feeds; `isWatched`: their outcome is awaited. */
export function useDeskFeeds(isWatched: boolean): QueryResult<DeskFeedList> {
  const query = useDeskQuery(feedsCache, 'data/feeds');
  useReloading(query, isWatched);
  return query;
}

export const useDeskKeys = (): QueryResult<DeskKeyList> => useDeskQuery(keysCache, 'data/keys');
export const useDeskPortals = (): QueryResult<DeskPortalList> => useDeskQuery(portalsCache, 'data/portals');

const PART_TRIES = 4;

/** Sends a file in parts; a part that was lost is sent again. `onProgress` gets the share, 0 to 1. Returns the file's id. */
export async function sendDeskFile(name: string, file: Blob, onProgress: (share: number) => void): Promise<string> {
  assertOnline();
  const { id } = await callDesk((desk) => desk.post('api/desk/data/files', { json: { name } }).json(StagedFile));
  for (let from = 0, position = 0; from < file.size; from += DATA_PART_BYTES, position++) {
    const body = file.slice(from, from + DATA_PART_BYTES);
    await again(() =>
      callDesk((desk) => desk.post(`api/desk/data/files/${id}/parts/${position}`, { body }).json(StagedFile)),
    );
    onProgress(Math.min(1, (from + DATA_PART_BYTES) / file.size));
  }
  return id;
}

async function again<T>(send: () => Promise<T>, tries = PART_TRIES): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (tries <= 1 || !isConnectionError(error)) throw error;
    return again(send, tries - 1);
  }
}

/** Lets a worker count what an import would do. */
export async function countDeskFile(id: string, request: CountFileRequest): Promise<void> {
  assertOnline();
  await callDesk((desk) => desk.post(`api/desk/data/files/${id}/count`, { json: request }).json(DeskFile));
}

/** Saves the report of rejected rows on this device. */
export async function saveRejects({ id, name }: Pick<DeskFile, 'id' | 'name'>): Promise<void> {
  saveFile(`${name.replace(/\.\w+$/, '')}-rejected.csv`, await readDeskFile(`data/files/${id}/rejects`));
}
