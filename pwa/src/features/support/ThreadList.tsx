import { t } from '@lingui/core/macro';
import { Link } from 'react-router-dom';
import type { ShownThread } from '../../data/support/support-rows.ts';
import { Icon } from '../../ui/display/Icon.tsx';
import { Status } from '../../ui/display/Status.tsx';
import { messageTime, senderLabel, threadLabel } from './labels.ts';
import css from './support.module.css';

/** The last message of a thread: who wrote it, and its text. */
function lastMessage({ pending, messages }: ShownThread): { sender: string; text: string; at: Date } | undefined {
  const waiting = pending.at(-1);
  if (waiting) return { sender: senderLabel('user'), text: waiting.text, at: new Date(waiting.at) };
  const sent = messages.at(-1);
  return sent && { sender: senderLabel(sent.sender), text: sent.text, at: new Date(sent.createdAt) };
}

/** The user's threads, the last change first. */
export function ThreadList({ threads, now }: { threads: readonly ShownThread[]; now: Date }) {
  return (
    <ul className={`${css.threads} entries`}>
      {threads.map((thread) => {
        const { id, subject, unread } = thread;
        const { label, tone } = threadLabel(thread);
        const last = lastMessage(thread);
        return (
          <li key={id}>
            <Link to={`/dashboard/support/${id}`} data-unread={unread > 0 || undefined}>
              <span className={css.head}>
                <span className={css.subject}>{subject}</span>
                {unread > 0 && <span className={css.new}>{t`New`}</span>}
              </span>
              {last && (
                <span className={`${css.last} s muted`}>
                  {last.sender}: {last.text}
                </span>
              )}
              <span className="facts">
                <Status tone={tone} label={label} />
                {last && <span>{messageTime(last.at, now)}</span>}
                {thread.tenderId !== null && <span>{t`About a tender`}</span>}
                {thread.orderId !== null && <span>{t`About an order`}</span>}
              </span>
              <Icon name="next" small />
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
