import { usePress } from '../../data/press.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Problem } from '../../ui/Problem.tsx';
import { useOnline } from '../../ui/useOnline.ts';
import { openDownload, openOrderDownload } from './access.ts';

/** Opens the download page of documents that the signed-in user may have. */
export function DownloadButton({ tenderId, label }: { tenderId: string; label: string }) {
  return <Opening label={label} open={() => openDownload(tenderId)} />;
}

/** Opens the download page of a paid order. */
export function OrderDownloadButton({ orderId }: { orderId: string }) {
  return <Opening label="Download" open={() => openOrderDownload(orderId)} />;
}

function Opening({ label, open }: { label: string; open: () => Promise<void> }) {
  const press = usePress('Failed to open the download');
  const isOnline = useOnline();
  return (
    <>
      <Button look="main" busy={press.isBusy} disabled={!isOnline} onClick={() => void press.run(open)}>
        <Icon name="download" /> {label}
      </Button>
      {!isOnline && <p className="s muted">You are offline</p>}
      <Problem text={press.problem} />
    </>
  );
}
