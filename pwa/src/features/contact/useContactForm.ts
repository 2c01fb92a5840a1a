import type { User } from '@nivida/contract/account/user';
import type { ContactFormValues } from '@nivida/contract/site/contact';
import { useEffect, useRef, useState } from 'react';
import { useHydrated } from '../../ui/hydration.ts';
import { type ContactDraft, EMPTY_CONTACT_DRAFT, readContactDraft, saveContactDraft } from './contact-draft.ts';
import {
  CONTACT_FIELDS,
  type ContactErrors,
  type ContactFields,
  initialContactFields,
  validateContact,
} from './contact-form.ts';

const SEND_FAILED = 'Failed to send message. Please try again.';

/** How the last press of the button ended. `canWait`: nobody answered, so the message may wait on the device. */
export type ContactSendResult =
  | { kind: 'sent'; text: string }
  | { kind: 'failed'; text: string; canWait: boolean }
  | { kind: 'kept' };

/**
 * The state of one user's contact form; undefined is the signed-out device. What is typed stays through every failure and reload, and goes when it was sent or
 * kept. Over 40 lines: each function in it changes the same three states.
 */
export function useContactForm(user: User | undefined) {
  const owner = user?._id ?? '';
  const isHydrated = useHydrated();
  const [draft, setDraft] = useState<ContactDraft>(() => (isHydrated ? readContactDraft(owner) : EMPTY_CONTACT_DRAFT));
  const isRead = useRef(isHydrated);
  const [errors, setErrors] = useState<ContactErrors>({});
  const [outcome, setOutcome] = useState<ContactSendResult>();
  const [isBusy, setIsBusy] = useState(false);
  useEffect(() => {
    if (isRead.current) saveContactDraft(owner, draft);
    else setDraft(readContactDraft(owner));
    isRead.current = true;
  }, [owner, draft]);
  const fields = { ...initialContactFields(user), ...draft.typed };

  function without(names: readonly string[]): ContactErrors {
    return Object.fromEntries(Object.entries(errors).filter(([name]) => !names.includes(name)));
  }

  function change(changed: Partial<ContactFields>) {
    // another text is another message
    setDraft({ typed: { ...draft.typed, ...changed }, messageId: null });
    setErrors(without(Object.keys(changed)));
  }

  /** Checks one field, as it is left. */
  function check(name: keyof ContactFields) {
    const error = validateContact(fields).errors[name];
    setErrors({ ...without([name]), ...(error && { [name]: error }) });
  }

  function messageId(): string {
    const id = draft.messageId ?? crypto.randomUUID();
    setDraft({ typed: draft.typed, messageId: id });
    return id;
  }

  /** Keeps the message on the device until there is signal. */
  async function queueForLater(form: ContactFormValues) {
    try {
      const { queueMessage } = await import('./contact-messages.ts');
      await queueMessage(messageId(), form);
      setDraft(EMPTY_CONTACT_DRAFT);
      setOutcome({ kind: 'kept' });
    } catch {
      setOutcome({ kind: 'failed', text: SEND_FAILED, canWait: false });
    }
  }

  async function post(form: ContactFormValues, website: string) {
    const { isConnectionError, serverMessageOr, fieldErrorsOf } = await import('../../data/server/api.ts');
    try {
      const { sendMessage } = await import('./contact-messages.ts');
      const text = await sendMessage(messageId(), form, website);
      setDraft(EMPTY_CONTACT_DRAFT);
      setOutcome({ kind: 'sent', text });
    } catch (error) {
      setErrors(fieldErrorsOf(error));
      setOutcome({ kind: 'failed', text: serverMessageOr(error, SEND_FAILED), canWait: isConnectionError(error) });
    }
  }

  async function run(work: (form: ContactFormValues) => Promise<void>): Promise<keyof ContactFields | undefined> {
    const { form, errors: wrong } = validateContact(fields);
    setErrors(wrong);
    if (!form) return CONTACT_FIELDS.find((name) => wrong[name]);
    setIsBusy(true);
    setOutcome(undefined);
    await work(form);
    setIsBusy(false);
    return undefined;
  }

  return {
    fields,
    errors,
    outcome,
    isBusy,
    change,
    check,
    /** Sends the form, without a network keeps it; answers the first wrong field. `website` is the robots' field. */
    send: (website: string) => run((form) => (navigator.onLine ? post(form, website) : queueForLater(form))),
    /** Keeps the form until there is signal. */
    sendLater: () => run(queueForLater),
    /** Puts a message back into the form. */
    edit: ({ countryCode: _india, ...form }: ContactFormValues) => {
      setDraft({ typed: form, messageId: null });
      setErrors({});
    },
    closeOutcome: () => setOutcome(undefined),
  };
}
