import { t } from '@lingui/core/macro';
import { MAX_ATTACHMENTS } from '@nivida/contract/limits';
import type { SupportAttachment } from '@nivida/contract/support/attachments';
import { CreateThreadRequest, SendMessageRequest } from '@nivida/contract/support/threads';
import { useEffect, useState } from 'react';
import * as v from 'valibot';
import { FileRefusedError } from '../../data/files/prepare-file.ts';
import { useOwner } from '../../data/session.ts';
import { useForm, validateForm } from '../../ui/form/useForm.ts';
import { addAttachment, messageErrorText, type WrittenMessage } from './support-actions.ts';
import { type MessageFields, readMessageDraft, saveMessageDraft } from './support-draft.ts';

const { text } = SendMessageRequest.entries;
const REPLY_FORM = v.object({ text });
const THREAD_FORM = v.object({ text, subject: CreateThreadRequest.entries.subject });

export type MessageFormState = ReturnType<typeof useMessageForm>;

/**
 * The form of a reply, or of a new thread (`threadId` is null) with a proposed subject. What is typed and the files
 * survive a reload.
 */
export function useMessageForm(
  threadId: string | null,
  proposedSubject: string,
  send: (message: WrittenMessage & { subject: string }) => Promise<unknown>,
) {
  const owner = useOwner();
  const form = useForm<MessageFields>(
    { subject: proposedSubject, text: '' },
    { typed: () => readMessageDraft(owner, threadId).typed },
  );
  const [files, setFiles] = useState(() => readMessageDraft(owner, threadId).files);
  const [refusals, setRefusals] = useState<readonly string[]>([]);
  const [isPreparing, setIsPreparing] = useState(false);
  const { typed, values, reset } = form;
  useEffect(() => saveMessageDraft(owner, threadId, { typed, files }), [owner, threadId, typed, files]);

  async function addFiles(chosen: readonly File[]) {
    setIsPreparing(true);
    const refused: string[] = [];
    const added: SupportAttachment[] = [];
    const room = MAX_ATTACHMENTS - files.length;
    for (const file of chosen.slice(0, room)) {
      try {
        added.push(await addAttachment(file));
      } catch (error) {
        const isKnown = error instanceof FileRefusedError;
        refused.push(isKnown ? error.message : t`“${{ name: file.name }}” was not added. ${messageErrorText(error)}`);
      }
    }
    if (chosen.length > room) refused.push(t`A message can have at most 5 files`);
    setFiles((before) => [...before, ...added]);
    setRefusals(refused);
    setIsPreparing(false);
  }

  return {
    form,
    files,
    /** Why chosen files were not added. */
    refusals,
    isPreparing,
    addFiles,
    removeFile: (id: string) => setFiles((before) => before.filter((file) => file.id !== id)),
    submit: () =>
      form.submit(
        validateForm(threadId === null ? THREAD_FORM : REPLY_FORM, values),
        async ({ text }) => {
          await send({ text, files, subject: values.subject.trim() });
          // The form may be gone, so that its effect does not remove the draft.
          saveMessageDraft(owner, threadId, { typed: {}, files: [] });
          reset();
          setFiles([]);
          setRefusals([]);
        },
        (error) => ({ text: messageErrorText(error) }),
      ),
  };
}
