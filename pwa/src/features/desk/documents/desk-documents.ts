/** Tenders with requests for documents, and the files of one. */
import {
  DeskDocumentsResponse,
  DeskTenderFiles,
  FindTendersResponse,
  MAX_NAMED_TENDERS,
} from '@nivida/contract/desk/documents';
import { type FileKind, fileKindFromName } from '@nivida/contract/orders/document-package';
import type { QueryResult } from '../../../data/server/query-cache.ts';
import { callDesk } from '../data/desk-call.ts';
import { createDeskQuery, useDeskQuery } from '../data/desk-query.ts';
import { useAddressQuery } from '../list/useDeskParam.ts';
import { type ChosenFile, readFilePath } from './read-dropped.ts';

const listCache = createDeskQuery(DeskDocumentsResponse);
const tenderCache = createDeskQuery(DeskTenderFiles);

/** The list that the address chooses. */
export const useRequestedTenders = (): QueryResult<DeskDocumentsResponse> =>
  useDeskQuery(listCache, `documents?${useAddressQuery('find')}`);

export const useTenderFiles = (id: string): QueryResult<DeskTenderFiles> =>
  useDeskQuery(tenderCache, `documents/${id}`);

/** A chosen file before it is sent. Without `tenderId` it is left out, because of `problem`. */
export interface DroppedFile {
  file: File;
  name: string;
  kind: FileKind;
  tender: string;
  tenderId: number | null;
  problem: 'no-id' | 'unknown' | 'ambiguous' | null;
}

/** Files for one tender. */
export const stageForTender = (
  files: readonly ChosenFile[],
  { id, tender }: Pick<DeskTenderFiles, 'id' | 'tender'>,
): DroppedFile[] =>
  files.map(({ file }) => ({
    file,
    name: file.name,
    kind: fileKindFromName(file.name),
    tender,
    tenderId: id,
    problem: null,
  }));

/** Files for many tenders by their names and folders; the server finds the tenders. */
export async function stageByName(files: readonly ChosenFile[]): Promise<DroppedFile[]> {
  const read = files.map(({ path, file }) => ({ file, ...(readFilePath(path) ?? { tender: '', name: file.name }) }));
  const names = [...new Set(read.map(({ tender }) => tender))].filter((name) => name !== '' && name.length <= 100);
  const found = new Map<string, FindTendersResponse['tenders'][number]>();
  for (let from = 0; from < names.length; from += MAX_NAMED_TENDERS) {
    const json = { names: names.slice(from, from + MAX_NAMED_TENDERS) };
    const answer = await callDesk((desk) =>
      desk.post('api/desk/documents/tenders', { json }).json(FindTendersResponse),
    );
    for (const each of answer.tenders) found.set(each.name, each);
  }
  return read.map(({ file, tender, name }) => {
    const { id = null, isAmbiguous = false } = found.get(tender) ?? {};
    const missing = tender === '' ? ('no-id' as const) : isAmbiguous ? ('ambiguous' as const) : ('unknown' as const);
    return { file, tender, name, kind: fileKindFromName(name), tenderId: id, problem: id === null ? missing : null };
  });
}
