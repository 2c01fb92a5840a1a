import { t } from '@lingui/core/macro';
import { formatBytes } from '@nivida/contract/format';
import { MAX_ATTACHMENTS } from '@nivida/contract/limits';
import type { SupportAttachment } from '@nivida/contract/support/attachments';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { ACCEPTED_TYPES } from '../../../data/files/file-type.ts';
import { FileRefusedError } from '../../../data/files/prepare-file.ts';
import { failureText } from '../../../data/server/api.ts';
import { useOwner } from '../../../data/session.ts';
import { Button } from '../../../ui/Button.tsx';
import { Icon } from '../../../ui/display/Icon.tsx';
import { ErrorText } from '../../../ui/feedback/Note.tsx';
import { FileButton } from '../../../ui/form/FileButton.tsx';
import { uploadForAnswer } from './desk-threads.ts';
import css from './ThreadPanel.module.css';

interface AnswerFilesProps {
  files: readonly SupportAttachment[];
  isUploading: boolean;
  /** The answer is being sent, so its files stay as they are. */
  isSending: boolean;
  onUploading: (isUploading: boolean) => void;
  onAdd: (file: SupportAttachment) => void;
  onRemove: (id: string) => void;
}

/** The files of an answer: chosen or dropped, and uploaded at once. */
export function AnswerFiles({ files, isUploading, isSending, onUploading, onAdd, onRemove }: AnswerFilesProps) {
  const owner = useOwner();
  const [isOver, setIsOver] = useState(false);
  const [failures, setFailures] = useState<readonly string[]>([]);
  const [uploaded, setUploaded] = useState<readonly string[]>([]);
  const choose = useRef<HTMLButtonElement>(null);
  const isBusy = isUploading || isSending;

  async function add(chosen: readonly File[]): Promise<void> {
    if (chosen.length === 0) return;
    const fail = (text: string) => setFailures((before) => (before.includes(text) ? before : [...before, text]));
    if (isBusy) {
      const name = chosen.map((file) => file.name).join(', ');
      return fail(t`${name}: not added, because an upload or the answer is still on its way. Please add it again.`);
    }
    const room = MAX_ATTACHMENTS - files.length;
    setFailures([]);
    setUploaded([]);
    onUploading(true);
    for (const file of chosen.slice(0, room)) {
      try {
        const added = await uploadForAnswer(owner, file);
        onAdd(added);
        setUploaded((before) => [...before, added.name]);
      } catch (error) {
        const isKnown = error instanceof FileRefusedError;
        fail(isKnown ? error.message : `${file.name}: ${failureText(error, t`The file could not be uploaded`)}`);
      }
    }
    if (chosen.length > room) fail(t`A message can have at most 5 files`);
    onUploading(false);
  }

  function remove(id: string): void {
    setFailures([]);
    setUploaded([]);
    // The button that has the focus leaves, and "Choose files" may only appear now.
    flushSync(() => onRemove(id));
    choose.current?.focus();
  }

  const names = uploaded.join(', ');
  const uploadedText = names === '' ? '' : t`Uploaded: ${names}`;
  const status = isUploading ? t`Uploading. The answer can be sent after that.` : uploadedText;

  return (
    <section
      className={css.files}
      aria-label={t`Files of the answer`}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setIsOver(false);
        void add([...event.dataTransfer.files]);
      }}
    >
      {files.length > 0 && (
        <ul>
          {files.map(({ id, name, bytes }) => (
            <li key={id}>
              <span>
                {name} <small className="muted">{formatBytes(bytes)}</small>
              </span>
              <Button look="icon" aria-label={t`Remove ${name}`} disabled={isSending} onClick={() => remove(id)}>
                <Icon name="close" />
              </Button>
            </li>
          ))}
        </ul>
      )}
      {failures.map((text) => (
        <ErrorText key={text} text={text} />
      ))}
      {files.length < MAX_ATTACHMENTS && (
        <FileButton ref={choose} accept={ACCEPTED_TYPES} busy={isBusy} onFiles={(chosen) => void add(chosen)}>
          {t`Choose files`}
        </FileButton>
      )}
      <p className={status === '' ? 'sr' : 's'} role="status">
        {status}
      </p>
      <p className="s muted">{t`Photos and PDFs, up to 5 files of 5 MB. You can drop them here.`}</p>
    </section>
  );
}
