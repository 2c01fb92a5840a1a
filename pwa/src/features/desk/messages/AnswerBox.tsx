import { t } from '@lingui/core/macro';
import { DeskThread } from '@nivida/contract/desk/messages';
import { MAX_SUPPORT_TEXT } from '@nivida/contract/limits';
import { SupportAttachment } from '@nivida/contract/support/attachments';
import { useEffect, useState } from 'react';
import * as v from 'valibot';
import { readTabDraft, saveTabDraft } from '../../../data/device/tab-drafts.ts';
import { failureText, isConnectionError, refusalOf } from '../../../data/server/api.ts';
import { useOwner } from '../../../data/session.ts';
import { Button } from '../../../ui/Button.tsx';
import { ErrorText, Note } from '../../../ui/feedback/Note.tsx';
import { showToast } from '../../../ui/feedback/toast.ts';
import { Field, TextArea } from '../../../ui/form/Field.tsx';
import { sendAct } from '../data/desk-call.ts';
import { reloadDesk } from '../data/desk-query.ts';
import { PasskeyNotShownError } from '../gate/gate.ts';
import { AnswerFiles } from './AnswerFiles.tsx';
import { useAnsweringSign } from './desk-threads.ts';

/** Stays in the audit log as the reason of an answer, which says itself why it was sent. */
const answerReason = () => t`Answer to a message`;

const AnswerDraft = v.object({ text: v.string(), files: v.optional(v.array(SupportAttachment), []) });
type AnswerDraft = v.InferOutput<typeof AnswerDraft>;
const EMPTY: AnswerDraft = { text: '', files: [] };

/**
 * The answer to a thread. Its text and files are stored in this tab until it was sent. An answer that is sent again after a lost
 * connection has the same id, so it is sent once. After a conflict the thread shows what happened, and the text stays.
 */
export function AnswerBox({ thread: { id, version, isVisitor } }: { thread: DeskThread }) {
  const owner = useOwner();
  const draftName = `answer ${id}`;
  const [draft, setDraft] = useState(() => {
    const stored = v.safeParse(AnswerDraft, readTabDraft(draftName, owner));
    return stored.success ? stored.output : EMPTY;
  });
  const { text, files } = draft;
  const [messageId, setMessageId] = useState(() => crypto.randomUUID());
  const [isBusy, setIsBusy] = useState(false);
  const [isUploading, setIsUploading] = useState(false);
  const [failure, setFailure] = useState<string>();
  const [conflict, setConflict] = useState<string>();
  const colleague = useAnsweringSign(id, text.trim() !== '');

  useEffect(
    () => saveTabDraft(draftName, owner, draft.text === '' && draft.files.length === 0 ? null : draft),
    [draftName, owner, draft],
  );

  function change(next: (before: AnswerDraft) => AnswerDraft): void {
    setDraft(next);
    setMessageId(crypto.randomUUID());
  }

  async function send(): Promise<void> {
    setFailure(undefined);
    setConflict(undefined);
    setIsBusy(true);
    try {
      const attachmentIds = files.map((file) => file.id);
      const body = { messageId, text, attachmentIds, version, reason: answerReason() };
      await sendAct({ path: `messages/${id}/answer`, body, key: crypto.randomUUID() }, DeskThread);
      // The panel may be closed, so that the effect does not remove the draft.
      saveTabDraft(draftName, owner, null);
      change(() => EMPTY);
      showToast({ text: isVisitor ? t`Sent by mail` : t`Sent to the app and by mail` });
      reloadDesk();
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal?.code === 'CONFLICT') {
        setConflict(refusal.message);
        reloadDesk();
      } else if (isConnectionError(error))
        setFailure(t`No answer came. It may be sent already. Press Send again: it is never sent twice.`);
      else if (!(error instanceof PasskeyNotShownError))
        setFailure(failureText(error, t`The answer could not be sent`));
    } finally {
      setIsBusy(false);
    }
  }

  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '' && !isBusy && !isUploading) void send();
      }}
    >
      {colleague !== null && (
        <Note tone="amber" icon="user">
          {t`${colleague} is writing an answer.`}
        </Note>
      )}
      <Field
        label={t`Your answer`}
        hint={isVisitor ? t`goes by mail; a reply to it is not read` : t`goes to the app and by mail`}
      >
        {(control) => (
          <TextArea
            {...control}
            rows={5}
            maxLength={MAX_SUPPORT_TEXT}
            value={text}
            data-main-act=""
            // The text that is sent is deleted afterwards.
            readOnly={isBusy}
            // The key e of the list clicks it.
            onClick={({ currentTarget }) => currentTarget.focus()}
            onChange={({ target }) => change((before) => ({ ...before, text: target.value }))}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
            }}
          />
        )}
      </Field>
      {!isVisitor && (
        <AnswerFiles
          files={files}
          isUploading={isUploading}
          isSending={isBusy}
          onUploading={setIsUploading}
          onAdd={(file) => change((before) => ({ ...before, files: [...before.files, file] }))}
          onRemove={(removed) =>
            change((before) => ({ ...before, files: before.files.filter((file) => file.id !== removed) }))
          }
        />
      )}
      {conflict !== undefined && (
        <Note tone="amber" icon="warning" alert>
          <p>{conflict}</p>
          <p className="s">{t`The page now shows the newest state. Your text is still here.`}</p>
        </Note>
      )}
      <ErrorText text={failure} />
      <Button look="main" type="submit" busy={isBusy} disabled={text.trim() === '' || isUploading}>
        {t({ message: 'Send', context: 'answer' })}
      </Button>
    </form>
  );
}
