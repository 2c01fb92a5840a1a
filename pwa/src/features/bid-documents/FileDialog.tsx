import { t } from '@lingui/core/macro';
import { formatBytes } from '@nivida/contract/format';
import { useEffect, useRef, useState } from 'react';
import { isPicture } from '../../data/bid-documents/file-type.ts';
import type { DocumentFile } from '../../data/bid-documents/vault-document.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { Icon } from '../../ui/display/Icon.tsx';
import { Note } from '../../ui/feedback/Note.tsx';
import { Spinner } from '../../ui/feedback/Spinner.tsx';
import { saveFile } from '../../ui/save-file.ts';
import css from './bid-documents.module.css';
import { canShareFile, loadFile, noConnectionText, notHereText, shareFile } from './open-file.ts';

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

/** Shows one file, and shares or saves a copy of it. */
export function FileDialog({ listed, onClose }: { listed: DocumentFile; onClose: () => void }) {
  const [file, setFile] = useState<File | null>();
  const [problem, setProblem] = useState(notHereText);
  useEffect(() => {
    let isShown = true;
    const show = (found: File | undefined) => isShown && setFile(found ?? null);
    loadFile(listed).then(show, () => {
      setProblem(noConnectionText());
      show(undefined);
    });
    return () => {
      isShown = false;
    };
  }, [listed]);
  return (
    <Dialog title={listed.name} onClose={onClose}>
      {file === undefined && <Spinner label={t`Opening the file`} />}
      {file === null && <Note tone="amber">{problem}</Note>}
      {file && (
        <>
          {isPicture(file.type) ? (
            <Picture file={file} name={listed.name} />
          ) : (
            <p>{t`PDF, ${{ size: formatBytes(file.size) }}. Save a copy to open it.`}</p>
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
      )}
    </Dialog>
  );
}
