import { t } from '@lingui/core/macro';
import type { TenderSummary } from '@nivida/contract/tenders/tender';
import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/display/Icon.tsx';
import { showToast } from '../../ui/feedback/toast.ts';
import { CopyDialog } from './CopyDialog.tsx';
import { shareOrCopy } from './share-or-copy.ts';
import { shareText } from './share-text.ts';

/** Sends a tender as a text. Works without a network. */
export function ShareButton({ tender, look }: { tender: TenderSummary; look: 'icon' | 'stacked' }) {
  const [shown, setShown] = useState<string>();

  async function share() {
    const text = shareText(tender, location.origin);
    // Pass navigator itself: the browser's functions refuse another `this`.
    const sent = await shareOrCopy(text, navigator);
    if (sent === 'copied') showToast({ text: t`Copied` });
    if (sent === 'none') setShown(text);
  }

  return (
    <>
      <Button look={look} aria-label={t`Share tender`} onClick={() => void share()}>
        <Icon name="share" /> {look === 'stacked' && t`Share`}
      </Button>
      {shown !== undefined && <CopyDialog title={t`Share tender`} text={shown} onClose={() => setShown(undefined)} />}
    </>
  );
}
