import { t } from '@lingui/core/macro';
import { formatBytes } from '@nivida/contract/format';
import { MAX_ATTACHMENTS } from '@nivida/contract/limits';
import type { ReactNode } from 'react';
import { ACCEPTED_TYPES } from '../../data/files/file-type.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/display/Icon.tsx';
import { ErrorText } from '../../ui/feedback/Note.tsx';
import { FileButton } from '../../ui/form/FileButton.tsx';
import { FormElement, TextAreaField, TextField } from '../../ui/form/FormFields.tsx';
import css from './support.module.css';
import type { WrittenMessage } from './support-actions.ts';
import { type MessageFormState, useMessageForm } from './useMessageForm.ts';

/** The files of a message that is written. */
function ChosenFiles({ message }: { message: MessageFormState }) {
  const { files, refusals, isPreparing, addFiles, removeFile } = message;
  const isFull = files.length >= MAX_ATTACHMENTS;
  return (
    <fieldset className={css.files}>
      <legend>
        {t`Photos and PDFs`} <small className="muted">{t`optional, up to 5 files of 5 MB`}</small>
      </legend>
      {files.length > 0 && (
        <ul>
          {files.map(({ id, name, bytes }) => (
            <li key={id}>
              <span>
                {name} <small className="muted">{formatBytes(bytes)}</small>
              </span>
              <Button look="icon" aria-label={t`Remove ${name}`} onClick={() => removeFile(id)}>
                <Icon name="close" />
              </Button>
            </li>
          ))}
        </ul>
      )}
      {refusals.map((text) => (
        <ErrorText key={text} text={text} />
      ))}
      {!isFull && (
        <div className="row">
          <FileButton
            accept={ACCEPTED_TYPES}
            isCamera
            busy={isPreparing}
            onFiles={(chosen) => void addFiles(chosen)}
          >{t`Take a photo`}</FileButton>
          <FileButton
            accept={ACCEPTED_TYPES}
            busy={isPreparing}
            onFiles={(chosen) => void addFiles(chosen)}
          >{t`Choose files`}</FileButton>
        </div>
      )}
    </fieldset>
  );
}

interface MessageFormProps {
  /** The thread of a reply. Null for a new thread, which has a subject. */
  threadId: string | null;
  proposedSubject?: string;
  /** Shown above the fields. */
  children?: ReactNode;
  /** Buttons beside the main one. */
  actions?: ReactNode;
  onSend: (message: WrittenMessage & { subject: string }) => Promise<unknown>;
}

/** Writes a message to support: a reply, or the first one of a thread. */
export function MessageForm({ threadId, proposedSubject = '', children, actions, onSend }: MessageFormProps) {
  const message = useMessageForm(threadId, proposedSubject, onSend);
  const { form } = message;
  return (
    <FormElement form={form} onSubmit={message.submit}>
      {children}
      {threadId === null && <TextField form={form} name="subject" label={t`Subject`} autoComplete="off" required />}
      <TextAreaField form={form} name="text" label={t`Message`} rows={threadId === null ? 6 : 4} required />
      <ChosenFiles message={message} />
      <ErrorText text={form.failure} />
      <div className="row">
        <Button type="submit" look="main" busy={form.isBusy || message.isPreparing}>
          {t`Send Message`}
        </Button>
        {actions}
      </div>
    </FormElement>
  );
}
