import type { MessageRow } from '../../data/db.ts';
import { Button } from '../../ui/Button.tsx';
import { Note } from '../../ui/Note.tsx';
import { useOnline } from '../../ui/useOnline.ts';
import css from './Contact.module.css';

interface OutboxProps {
  messages: readonly MessageRow[];
  onEdit: (message: MessageRow) => void;
}

function remove(id: string): void {
  void import('./outbox.ts').then(({ removeMessage }) => removeMessage(id));
}

/** The messages of this device that wait for signal, and those that the server would not have, with its reason. */
export function Outbox({ messages, onEdit }: OutboxProps) {
  const isOnline = useOnline();
  return messages.map((message) => {
    const { id, form, refusal } = message;
    return (
      <Note key={id} tone={refusal === null ? 'amber' : 'red'} icon={refusal === null ? 'offline' : 'warning'}>
        <p role="status">
          {refusal ??
            (isOnline
              ? 'Not sent yet. It is tried again by itself.'
              : 'Your message will be sent when there is signal')}
        </p>
        <p className={css.subject}>{form.subject}</p>
        <div className="row">
          {refusal !== null && <Button onClick={() => onEdit(message)}>Edit</Button>}
          <Button aria-label={`Remove the message “${form.subject}”`} onClick={() => remove(id)}>
            Remove
          </Button>
        </div>
      </Note>
    );
  });
}
