import type { ContactForm } from '@nivida/contract/contact';
import type { User } from '@nivida/contract/user';
import { useEffect, useState } from 'react';
import { type ContactDraft, EMPTY_DRAFT, readDraft, saveDraft } from './draft.ts';
import { CONTACT_FIELDS, type ContactErrors, type ContactFields, checkContact, prefilled } from './form.ts';

const FAILED = 'Failed to send message. Please try again.';

/** How the last press of the button ended. `canWait`: nobody answered, so the message may wait on the device. */
export type ContactOutcome =
  | { kind: 'sent'; text: string }
  | { kind: 'failed'; text: string; canWait: boolean }
  | { kind: 'kept' };

/**
 * The state of one user's contact form; undefined is the signed-out device. What is typed stays through every failure and reload, and goes when it was sent or
 * kept. Over 40 lines: each function in it changes the same three states.
 */
export function useContactForm(user: User | undefined) {
  const owner = user?._id ?? '';
  const [draft, setDraft] = useState<ContactDraft>(() => readDraft(owner));
  const [errors, setErrors] = useState<ContactErrors>({});
  const [outcome, setOutcome] = useState<ContactOutcome>();
  const [isBusy, setIsBusy] = useState(false);
  useEffect(() => saveDraft(owner, draft), [owner, draft]);
  const fields = { ...prefilled(user), ...draft.typed };

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
    const error = checkContact(fields).errors[name];
    setErrors({ ...without([name]), ...(error && { [name]: error }) });
  }

  function messageId(): string {
    const id = draft.messageId ?? crypto.randomUUID();
    setDraft({ typed: draft.typed, messageId: id });
    return id;
  }

  /** Keeps the message on the device until there is signal. */
  async function keep(form: ContactForm) {
    try {
      const { keepMessage } = await import('./outbox.ts');
      await keepMessage(messageId(), form);
      setDraft(EMPTY_DRAFT);
      setOutcome({ kind: 'kept' });
    } catch {
      setOutcome({ kind: 'failed', text: FAILED, canWait: false });
    }
  }

  async function post(form: ContactForm, website: string) {
    const { isUnanswered, saidByServer, wrongFields } = await import('../../data/api.ts');
    try {
      const { postMessage } = await import('./outbox.ts');
      const text = await postMessage(messageId(), form, website);
      setDraft(EMPTY_DRAFT);
      setOutcome({ kind: 'sent', text });
    } catch (error) {
      setErrors(wrongFields(error));
      setOutcome({ kind: 'failed', text: saidByServer(error, FAILED), canWait: isUnanswered(error) });
    }
  }

  async function run(work: (form: ContactForm) => Promise<void>): Promise<keyof ContactFields | undefined> {
    const { form, errors: wrong } = checkContact(fields);
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
    send: (website: string) => run((form) => (navigator.onLine ? post(form, website) : keep(form))),
    /** Keeps the form until there is signal. */
    sendLater: () => run(keep),
    /** Puts a message back into the form. */
    edit: ({ countryCode: _india, ...form }: ContactForm) => {
      setDraft({ typed: form, messageId: null });
      setErrors({});
    },
    closeOutcome: () => setOutcome(undefined),
  };
}
