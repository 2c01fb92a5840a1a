import { t } from '@lingui/core/macro';
import { formatBytes } from '@nivida/contract/format';
import type { SupportAttachment } from '@nivida/contract/support/attachments';
import { useEffect, useState } from 'react';
import { isConnectionError } from '../../data/server/api.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { FileView } from '../../ui/FileView.tsx';
import { loadAttachment } from './support-actions.ts';

/** Shows an attachment. It is loaded once; then it opens without a connection too. */
export function AttachmentDialog({ attachment, onClose }: { attachment: SupportAttachment; onClose: () => void }) {
  const [file, setFile] = useState<File | null>();
  const [problem, setProblem] = useState('');
  useEffect(() => {
    let isShown = true;
    loadAttachment(attachment).then(
      (loaded) => isShown && setFile(loaded),
      (error) => {
        if (!isShown) return;
        setProblem(
          isConnectionError(error)
            ? t`This file is not on this phone yet. It opens here when there is a connection.`
            : t`This file cannot be opened any more.`,
        );
        setFile(null);
      },
    );
    return () => {
      isShown = false;
    };
  }, [attachment]);
  return (
    <Dialog title={attachment.name} onClose={onClose}>
      <FileView file={file} problem={problem} size={formatBytes(attachment.bytes)} />
    </Dialog>
  );
}
