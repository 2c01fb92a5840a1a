import { t } from '@lingui/core/macro';
import { type ReactNode, useState } from 'react';
import { failureText } from '../../../data/server/api.ts';
import { ErrorText } from '../../../ui/feedback/Note.tsx';
import { FileButton } from '../../../ui/form/FileButton.tsx';
import { AttachDialog } from './AttachDialog.tsx';
import type { DroppedFile } from './desk-documents.ts';
import css from './documents.module.css';
import { type ChosenFile, MAX_CHOSEN_FILES, readDropped, readPicked } from './read-dropped.ts';

interface DropFilesProps {
  /** Text of the picker's button. */
  label: string;
  children: ReactNode;
  hasOtherWorks?: boolean;
  /** Finds the tenders of chosen files. */
  stage: (files: readonly ChosenFile[]) => readonly DroppedFile[] | Promise<readonly DroppedFile[]>;
}

/** A place where files are dropped, with a button that chooses them. Then the dialog asks for their kinds. */
export function DropFiles({ label, children, hasOtherWorks = false, stage }: DropFilesProps) {
  const [isOver, setIsOver] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const [staged, setStaged] = useState<readonly DroppedFile[]>();
  const [failure, setFailure] = useState<string>();
  async function choose(read: () => ChosenFile[] | Promise<ChosenFile[]>): Promise<void> {
    setFailure(undefined);
    setIsBusy(true);
    try {
      const files = await read();
      if (files.length > 0) setStaged(await stage(files.slice(0, MAX_CHOSEN_FILES)));
      if (files.length > MAX_CHOSEN_FILES)
        setFailure(t`Only the first ${MAX_CHOSEN_FILES} files were taken. Add the others after these.`);
    } catch (error) {
      setFailure(failureText(error, t`The files could not be read`));
    } finally {
      setIsBusy(false);
    }
  }
  return (
    <section
      className={css.drop}
      aria-label={label}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setIsOver(false);
        const { dataTransfer } = event;
        void choose(() => readDropped(dataTransfer));
      }}
    >
      <p className="s">{children}</p>
      <FileButton accept="" busy={isBusy} onFiles={(files) => void choose(() => readPicked(files))}>
        {label}
      </FileButton>
      <ErrorText text={failure} />
      {staged && (
        <AttachDialog
          staged={staged}
          note={failure}
          hasOtherWorks={hasOtherWorks}
          onClose={() => setStaged(undefined)}
        />
      )}
    </section>
  );
}
