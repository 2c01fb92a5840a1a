import { t } from '@lingui/core/macro';
import { formatBytes } from '@nivida/contract/format';
import { MAX_ATTACHMENTS } from '@nivida/contract/limits';
import type { SupportAttachment } from '@nivida/contract/support/attachments';
import { useState } from 'react';
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
  onAdd: (file: SupportAttachment) => void;
  onRemove: (id: string) => void;
}

/** The files of an answer: chosen or dropped, and uploaded at once. */
export function AnswerFiles({ files, onAdd, onRemove }: AnswerFilesProps) {
  const owner = useOwner();
  const [isOver, setIsOver] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const [failures, setFailures] = useState<readonly string[]>([]);

  async function add(chosen: readonly File[]): Promise<void> {
    if (chosen.length === 0 || isBusy) return;
    const room = MAX_ATTACHMENTS - files.length;
    const failed: string[] = [];
    setIsBusy(true);
    for (const file of chosen.slice(0, room)) {
      try {
        onAdd(await uploadForAnswer(owner, file));
      } catch (error) {
        const isKnown = error instanceof FileRefusedError;
        failed.push(isKnown ? error.message : `${file.name}: ${failureText(error, t`The file could not be uploaded`)}`);
      }
    }
    if (chosen.length > room) failed.push(t`A message can have at most 5 files`);
    setFailures(failed);
    setIsBusy(false);
  }

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
              <Button look="icon" aria-label={t`Remove ${name}`} onClick={() => onRemove(id)}>
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
        <FileButton accept={ACCEPTED_TYPES} busy={isBusy} onFiles={(chosen) => void add(chosen)}>
          {t`Choose files`}
        </FileButton>
      )}
      <p className="s muted">{t`Photos and PDFs, up to 5 files of 5 MB. You can drop them here.`}</p>
    </section>
  );
}
