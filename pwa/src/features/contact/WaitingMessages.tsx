import { t } from '@lingui/core/macro';
import { hasBackgroundSync } from '../../data/outbox/background-sync.ts';
import { Button } from '../../ui/Button.tsx';
import { useOnline } from '../../ui/browser-state.ts';
import { Note } from '../../ui/feedback/Note.tsx';
import { showToast } from '../../ui/feedback/toast.ts';
import css from './Contact.module.css';
import type { WaitingMessage } from './contact-messages.ts';

interface WaitingMessagesProps {
  messages: readonly WaitingMessage[];
  onEdit: (message: WaitingMessage) => void;
}

/** Without Background Sync nothing is sent while the app is closed. */
function waitingText(isOnline: boolean): string {
  if (isOnline) return t`Not sent yet. Nivida will try again.`;
  return hasBackgroundSync()
    ? t`Your message will be sent when there is a connection`
    : t`Your message will be sent when this app is open and there is a connection`;
}

/** Removes a message from the list. When that fails, shows a toast and returns false. */
export async function removeFromList(id: string): Promise<boolean> {
  try {
    const { removeMessage } = await import('./contact-messages.ts');
    await removeMessage(id);
    return true;
  } catch {
    showToast({ text: t`The message could not be removed. Please try again.` });
    return false;
  }
}

/** The user's messages that wait for a connection, and those that the server refused with its reason. */
export function WaitingMessages({ messages, onEdit }: WaitingMessagesProps) {
  const isOnline = useOnline();
  return messages.map((message) => {
    const { id, form, refusal } = message;
    return (
      <Note key={id} tone={refusal === null ? 'amber' : 'red'} icon={refusal === null ? 'offline' : 'warning'}>
        <p role="status">{refusal ?? waitingText(isOnline)}</p>
        <p className={css.subject}>{form.subject}</p>
        <div className="row">
          {refusal !== null && <Button onClick={() => onEdit(message)}>{t`Edit`}</Button>}
          <Button
            aria-label={t`Remove the message “${{ subject: form.subject }}”`}
            onClick={() => void removeFromList(id)}
          >
            {t`Remove`}
          </Button>
        </div>
      </Note>
    );
  });
}
