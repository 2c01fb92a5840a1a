import { t } from '@lingui/core/macro';
import type { User } from '@nivida/contract/account/user';
import { ContactFormValues } from '@nivida/contract/site/contact';
import { useEffect, useRef, useState } from 'react';
import { hasConnection } from '../../data/server/reachability.ts';
import { useHydrated } from '../../ui/browser-state.ts';
import { useForm, validateForm } from '../../ui/form/useForm.ts';
import { EMPTY_CONTACT_DRAFT, readContactDraft, saveContactDraft } from './contact-draft.ts';
import { type ContactFields, initialContactFields, supportText } from './contact-form.ts';

/**
 * Result of sending a signed-in user's message to support, where it is a thread. 'queued' waits on the device. Throws
 * where the browser stores nothing.
 */
export type SendToSupport = (
  subject: string,
  text: string,
) => Promise<{ kind: 'sent' | 'queued'; threadId: string } | { kind: 'refused'; reason: string }>;

const sendFailed = () => t`Failed to send message. Please try again.`;

/**
 * Result of the last submit. `canWait` is true when there was no answer and the message may wait on the
 * device.
 */
export type ContactSendResult =
  | { kind: 'sent'; text: string; threadId?: string }
  | { kind: 'failed'; text: string; canWait: boolean }
  | { kind: 'queued'; threadId?: string };

/**
 * The contact form of a user; undefined is the signed-out device. The typed values survive each failure and
 * each reload. They are removed when the message is sent or queued. `sendToSupport` sends the message of a signed-in
 * user.
 */
export function useContactForm(user: User | undefined, sendToSupport: SendToSupport) {
  const owner = user?._id ?? '';
  const isHydrated = useHydrated();
  // The first render must equal the server's, which has no draft.
  const readDraft = () => (isHydrated ? readContactDraft(owner) : EMPTY_CONTACT_DRAFT);
  const isRead = useRef(isHydrated);
  // A message that is sent again has the same id. A changed text is another message.
  const [messageId, setMessageId] = useState(() => readDraft().messageId);
  const [outcome, setOutcome] = useState<ContactSendResult>();
  const form = useForm(initialContactFields(user), {
    typed: () => readDraft().typed,
    onChange: () => setMessageId(null),
  });
  const { typed, values, reset } = form;
  useEffect(() => {
    if (isRead.current) return saveContactDraft(owner, { typed, messageId });
    isRead.current = true;
    const draft = readContactDraft(owner);
    reset(draft.typed);
    setMessageId(draft.messageId);
  }, [owner, typed, messageId, reset]);

  function startOver(typed: Partial<ContactFields>) {
    form.reset(typed);
    setMessageId(null);
  }

  function ensureMessageId(): string {
    const id = messageId ?? crypto.randomUUID();
    setMessageId(id);
    return id;
  }

  /** Returns false when the device does not store the message. */
  async function queue(message: ContactFormValues): Promise<boolean> {
    try {
      const { queueMessage } = await import('./contact-messages.ts');
      await queueMessage(ensureMessageId(), message);
    } catch {
      return false;
    }
    startOver({});
    setOutcome({ kind: 'queued' });
    return true;
  }

  async function queueForLater(message: ContactFormValues) {
    if (!(await queue(message))) setOutcome({ kind: 'failed', text: sendFailed(), canWait: false });
  }

  /** Returns false when the device stores nothing, so that the message must be sent by mail. */
  async function sendAsThread(message: ContactFormValues, sender: User): Promise<boolean> {
    let outcome: Awaited<ReturnType<SendToSupport>>;
    try {
      outcome = await sendToSupport(message.subject, supportText(message, sender));
    } catch {
      return false;
    }
    if (outcome.kind === 'refused') {
      setOutcome({ kind: 'failed', text: outcome.reason, canWait: false });
      return true;
    }
    startOver({});
    const { kind, threadId } = outcome;
    setOutcome(
      kind === 'sent'
        ? { kind, threadId, text: t`Thank you for your message! We'll get back to you soon.` }
        : { kind, threadId },
    );
    return true;
  }

  async function sendOrQueue(message: ContactFormValues, website: string) {
    if (user && (await sendAsThread(message, user))) return;
    if (!navigator.onLine) return queueForLater(message);
    // Without a connection the message waits. If the device cannot store it, it is sent anyway: the network
    // may be back.
    if (hasConnection() || !(await queue(message))) await post(message, website);
  }

  async function post(message: ContactFormValues, website: string) {
    const { isConnectionError, serverMessageOr, fieldErrorsOf } = await import('../../data/server/api.ts');
    try {
      const { sendMessage } = await import('./contact-messages.ts');
      const text = await sendMessage(ensureMessageId(), message, website);
      startOver({});
      setOutcome({ kind: 'sent', text });
    } catch (error) {
      form.showErrors(fieldErrorsOf(error));
      setOutcome({ kind: 'failed', text: serverMessageOr(error, sendFailed()), canWait: isConnectionError(error) });
    }
  }

  function submit(send: (message: ContactFormValues) => Promise<void>) {
    setOutcome(undefined);
    return form.submit(validateForm(ContactFormValues, values), send, () => ({ text: sendFailed() }));
  }

  return {
    form,
    outcome,
    /** Validates one field when the focus leaves it. */
    check: (name: keyof ContactFields) => form.showError(name, validateForm(ContactFormValues, values).errors[name]),
    /** Sends the message, or queues it without a connection. `website` is the value of the honeypot field. */
    send: (website: string) => submit((message) => sendOrQueue(message, website)),
    /** Queues the message until there is a connection. */
    sendLater: () => submit(queueForLater),
    /** Puts a queued message back into the form. */
    edit: ({ countryCode: _, ...message }: ContactFormValues) => startOver(message),
    closeOutcome: () => setOutcome(undefined),
  };
}
