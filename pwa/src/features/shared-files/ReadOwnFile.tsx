import { t } from '@lingui/core/macro';
import { READING_ACCEPT } from '@nivida/contract/documents/own-readings';
import type { ReadFile } from '@nivida/contract/documents/tender-reading';
import { useState } from 'react';
import { useSession } from '../../data/session.ts';
import { Button } from '../../ui/Button.tsx';
import { Note } from '../../ui/feedback/Note.tsx';
import { FileButton } from '../../ui/form/FileButton.tsx';
import { langOf } from '../../ui/words/lang-of.ts';
import { Sending } from './SharedFileCard.tsx';
import { addOwnFiles, chooseTender, letGo, removeSharedFile } from './shared-file-actions.ts';
import css from './shared-files.module.css';
import { useSharedFiles } from './useSharedFiles.ts';

interface ReadOwnFileProps {
  tenderId: string;
  /** The user's own files that are kept with the tender. */
  kept: readonly ReadFile[];
}

/** Lets the user have his own file of a tender read: by choosing it, or by dropping it here. */
export function ReadOwnFile({ tenderId, kept }: ReadOwnFileProps) {
  const isSignedIn = useSession() !== null;
  const { rows } = useSharedFiles();
  const [isOver, setIsOver] = useState(false);
  if (!isSignedIn)
    return <p className="s muted">{t`Sign in to have your own PDF or BOQ of this tender read, for yourself alone.`}</p>;
  const waiting = (rows ?? []).filter((row) => row.tenderId === tenderId && row.reading?.tenderId !== tenderId);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way; the button is for everybody
    <div
      className={css.drop}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setIsOver(false);
        void addOwnFiles([...event.dataTransfer.files], tenderId);
      }}
    >
      <p className="s muted">
        {t`Do you have the NIT or BOQ yourself? It is read for you alone and kept with this tender. The file is deleted at once.`}
      </p>
      <div className="row">
        <FileButton accept={READING_ACCEPT} onFiles={(files) => void addOwnFiles(files, tenderId)}>
          {t`Read my own file`}
        </FileButton>
      </div>
      {waiting.map((row) => (
        <div key={row.id} className={css.waiting}>
          <b lang={langOf(row.name)}>{row.name}</b>
          {row.refusal === null ? (
            <Sending row={row} />
          ) : (
            <>
              <Note tone="red" icon="warning" alert>
                {row.refusal}
              </Note>
              <div className="row">
                <Button onClick={() => void chooseTender(row, tenderId)}>{t`Try Again`}</Button>
                <Button onClick={() => void removeSharedFile(row)}>{t`Remove`}</Button>
              </div>
            </>
          )}
        </div>
      ))}
      {kept.length > 0 && (
        <ul className={css.keptFiles} aria-label={t`Your own files`}>
          {kept.map(({ id, name }) => (
            <li key={id}>
              <span lang={langOf(name)}>{name}</span>
              <Button look="link" aria-label={t`Remove ${name}`} onClick={() => void letGo(tenderId, id)}>
                {t`Remove`}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
