import { t } from '@lingui/core/macro';
import { useEffect, useRef, useState } from 'react';
import { Button } from './Button.tsx';
import { DialogActions } from './Dialog.tsx';
import { Icon } from './display/Icon.tsx';
import css from './FileView.module.css';
import { Note } from './feedback/Note.tsx';
import { Spinner } from './feedback/Spinner.tsx';
import { canShareFile, saveFile, shareFile } from './save-file.ts';

/** Renders a picture on a canvas, because the content policy forbids addresses of stored files. */
function Picture({ file, name }: { file: File; name: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [isBroken, setIsBroken] = useState(false);
  useEffect(() => {
    let isShown = true;
    createImageBitmap(file).then(
      (picture) => {
        const element = canvas.current;
        if (isShown && element) {
          element.width = picture.width;
          element.height = picture.height;
          element.getContext('2d')?.drawImage(picture, 0, 0);
        }
        picture.close();
      },
      () => isShown && setIsBroken(true),
    );
    return () => {
      isShown = false;
    };
  }, [file]);
  if (isBroken)
    return <Note tone="red">{t`This picture cannot be shown. Save a copy and open it with another app.`}</Note>;
  return <canvas ref={canvas} className={css.picture} role="img" aria-label={name} />;
}

interface FileViewProps {
  /** Undefined while it is loaded; null when it could not be loaded. */
  file: File | null | undefined;
  /** Why it could not be loaded. */
  problem: string;
  /** '1.2 MB' */
  size: string;
}

/** The content of a dialog that shows one file, and shares or saves a copy of it. */
export function FileView({ file, problem, size }: FileViewProps) {
  if (file === undefined) return <Spinner label={t`Opening the file`} />;
  if (file === null) return <Note tone="amber">{problem}</Note>;
  return (
    <>
      {file.type.startsWith('image/') ? (
        <Picture file={file} name={file.name} />
      ) : (
        <p>{t`${{ kind: file.type === 'application/pdf' ? 'PDF' : t({ message: 'Text', context: 'kind of file' }) }}, ${size}. Save a copy to open it.`}</p>
      )}
      <DialogActions>
        {canShareFile(file) && (
          <Button onClick={() => void shareFile(file)}>
            <Icon name="share" /> {t`Share`}
          </Button>
        )}
        <Button look="main" onClick={() => saveFile(file.name, file)}>
          <Icon name="download" /> {t`Save a copy`}
        </Button>
      </DialogActions>
    </>
  );
}
