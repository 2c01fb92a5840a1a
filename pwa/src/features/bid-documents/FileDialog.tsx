import { formatBytes } from '@nivida/contract/format';
import { useEffect, useState } from 'react';
import type { DocumentFile } from '../../data/bid-documents/vault-document.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { FileView } from '../../ui/FileView.tsx';
import { loadFile, noConnectionText, notHereText } from './open-file.ts';

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
      <FileView file={file} problem={problem} size={formatBytes(listed.bytes)} />
    </Dialog>
  );
}
