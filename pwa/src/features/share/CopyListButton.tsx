import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/display/Icon.tsx';
import { showToast } from '../../ui/feedback/toast.ts';
import { CopyDialog } from './CopyDialog.tsx';
import { shareOrCopy } from './share-or-copy.ts';

interface CopyListProps {
  label?: string;
  makeText: (origin: string) => string;
}

/** Copies a list as a message, then offers to send it with the device's apps. Works without a network. */
export function CopyListButton({ label = t`Copy for WhatsApp`, makeText }: CopyListProps) {
  const [shown, setShown] = useState<string>();

  async function copy() {
    const text = makeText(location.origin);
    // `share` is left out, because the button promises a copy.
    const sent = await shareOrCopy(text, navigator.clipboard ? { clipboard: navigator.clipboard } : {});
    if (sent === 'none') setShown(text);
    else
      showToast({
        text: t`Copied. Paste it into WhatsApp.`,
        passing: true,
        ...('share' in navigator && {
          action: { label: t`Send`, run: () => void shareOrCopy(text, { share: (data) => navigator.share(data) }) },
        }),
      });
  }

  return (
    <>
      <Button look="plain" onClick={() => void copy()}>
        <Icon name="share" small /> {label}
      </Button>
      {shown !== undefined && <CopyDialog title={t`Copy the list`} text={shown} onClose={() => setShown(undefined)} />}
    </>
  );
}
