import { t } from '@lingui/core/macro';
import { useMutation } from '../../data/useMutation.ts';
import { Button } from '../../ui/Button.tsx';
import { useOnline } from '../../ui/browser-state.ts';
import { Icon } from '../../ui/display/Icon.tsx';
import { ErrorText } from '../../ui/feedback/Note.tsx';
import { openDocumentPage, openOrderDocumentPage } from './document-offer.ts';

/** Opens the download page of a tender's documents for the signed-in user. */
export function DownloadButton({ tenderId, label }: { tenderId: string; label: string }) {
  return <OpenDownloadButton label={label} open={() => openDocumentPage(tenderId)} />;
}

/** Opens the download page of a paid order. */
export function OrderDownloadButton({ orderId }: { orderId: string }) {
  return <OpenDownloadButton label={t`Download`} open={() => openOrderDocumentPage(orderId)} />;
}

function OpenDownloadButton({ label, open }: { label: string; open: () => Promise<void> }) {
  const mutation = useMutation(t`Failed to open the download`);
  const isOnline = useOnline();
  return (
    <>
      <Button look="main" busy={mutation.isBusy} disabled={!isOnline} onClick={() => void mutation.run(open)}>
        <Icon name="download" /> {label}
      </Button>
      {!isOnline && <p className="s muted">{t`You are offline`}</p>}
      <ErrorText text={mutation.problem} />
    </>
  );
}
