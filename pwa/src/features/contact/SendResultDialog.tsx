import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link } from 'react-router-dom';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import type { ContactSendResult } from './useContactForm.ts';

interface SendResultDialogProps {
  outcome: ContactSendResult | undefined;
  /** Queues the message until there is a connection. */
  onLater: () => void;
  onClose: () => void;
}

/** Says that the message was sent, or why not. A queued message is shown above the form, not here. */
export function SendResultDialog({ outcome, onLater, onClose }: SendResultDialogProps) {
  if (!outcome || outcome.kind === 'queued') return null;
  const isSent = outcome.kind === 'sent';
  return (
    <Dialog title={isSent ? t`Message Sent!` : t`Error`} onClose={onClose}>
      <p>{outcome.text}</p>
      {outcome.kind === 'sent' && outcome.threadId !== undefined && (
        <p>
          <Trans>
            You find the answer under <Link to={`/dashboard/support/${outcome.threadId}`}>Support</Link>.
          </Trans>
        </p>
      )}
      {!isSent && <p className="s muted">{t`Your message is still in the form.`}</p>}
      <DialogActions>
        {!isSent && outcome.canWait && <Button onClick={onLater}>{t`Send when there is a connection`}</Button>}
        <Button look="main" onClick={onClose}>
          {t`Close`}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
