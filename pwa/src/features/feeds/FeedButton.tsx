import { t } from '@lingui/core/macro';
import { type ReactNode, useState } from 'react';
import { Button } from '../../ui/Button.tsx';

interface FeedButtonProps {
  /** Text of the button. */
  text: string;
  /** Named after the button for screen readers. */
  about?: string;
  renderDialog: (close: () => void) => ReactNode;
}

/** Opens the dialog with the addresses of a list's feeds. */
export function FeedButton({ text, about, renderDialog }: FeedButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button look="plain" onClick={() => setIsOpen(true)} {...(about && { 'aria-label': t`${text}: ${about}` })}>
        {text}
      </Button>
      {isOpen && renderDialog(() => setIsOpen(false))}
    </>
  );
}
