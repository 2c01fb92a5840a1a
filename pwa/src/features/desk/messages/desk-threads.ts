/** Threads of messages at the desk, and the files of one. */
import { AnsweringResponse, DeskThread, DeskThreadsResponse } from '@nivida/contract/desk/messages';
import type { SupportAttachment } from '@nivida/contract/support/attachments';
import { useEffect, useState } from 'react';
import { apiOf, assertOnline } from '../../../data/server/api.ts';
import type { QueryResult } from '../../../data/server/query-cache.ts';
import { useOwner } from '../../../data/session.ts';
import { prepareAttachment } from '../../../data/support/prepare-attachment.ts';
import { uploadParts } from '../../../data/support/send-messages.ts';
import { saveFile } from '../../../ui/save-file.ts';
import { deskApi, readDeskFile } from '../data/desk-call.ts';
import { createDeskQuery, useDeskQuery } from '../data/desk-query.ts';
import { useAddressQuery } from '../list/useDeskParam.ts';

const listCache = createDeskQuery(DeskThreadsResponse);
const threadCache = createDeskQuery(DeskThread);

/** Pause between two signs that an answer is being written. The server believes one for two minutes. */
const SIGN_MS = 60_000;

/** The threads that the address of the list chooses: without a state those that wait. */
export const useDeskThreads = (): QueryResult<DeskThreadsResponse> =>
  useDeskQuery(listCache, `messages?${useAddressQuery('state', ['q', 'find'], 'page')}`);

export const useDeskThread = (id: string): QueryResult<DeskThread> => useDeskQuery(threadCache, `messages/${id}`);

/** Tells colleagues while an answer is being written. Returns the colleague who writes one already. */
export function useAnsweringSign(id: string, isWriting: boolean): string | null {
  const owner = useOwner();
  const [colleague, setColleague] = useState<string | null>(null);
  useEffect(() => {
    if (!isWriting) return;
    const sign = (isAnswering: boolean) =>
      deskApi(owner).post(`api/desk/messages/${id}/answering`, { json: { isAnswering } }).json(AnsweringResponse);
    // A sign that is lost only means that a colleague is told later.
    const say = () =>
      void sign(true).then(
        ({ answeringBy }) => setColleague(answeringBy),
        () => undefined,
      );
    say();
    const timer = setInterval(say, SIGN_MS);
    return () => {
      clearInterval(timer);
      void sign(false).catch(() => undefined);
    };
  }, [owner, id, isWriting]);
  return isWriting ? colleague : null;
}

/** Uploads a file for an answer, which then names it. Throws FileRefusedError and the errors of the call. */
export async function uploadForAnswer(owner: string, chosen: File): Promise<SupportAttachment> {
  const { attachment, file } = await prepareAttachment(chosen);
  assertOnline();
  const headers = { 'content-type': 'application/octet-stream' };
  await uploadParts(attachment, file, ({ method, path, body }) =>
    apiOf(owner)(path.slice(1), { method, body: body as Blob, headers }),
  );
  return attachment;
}

/** Saves a file of a thread on this device. */
export async function saveAttachment(thread: string, { id, name }: SupportAttachment): Promise<void> {
  saveFile(name, await readDeskFile(`messages/${thread}/attachments/${id}`));
}
