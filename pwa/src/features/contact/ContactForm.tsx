import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { User } from '@nivida/contract/account/user';
import { leftOutOfMobile, normaliseTypedMobile } from '@nivida/contract/fields';
import { useEffect, useId, useRef } from 'react';
import { Link } from 'react-router-dom';
import { whenDatabaseIsWanted } from '../../data/device/database.ts';
import { useLiveRows } from '../../data/device/live-query.ts';
import { useSession } from '../../data/session.ts';
import { Button } from '../../ui/Button.tsx';
import { Panel } from '../../ui/display/Panel.tsx';
import { Note } from '../../ui/feedback/Note.tsx';
import { Checkbox } from '../../ui/form/Checkbox.tsx';
import { ControlGroup, FieldError, Select } from '../../ui/form/Field.tsx';
import { FormElement, TextAreaField, TextField } from '../../ui/form/FormFields.tsx';
import css from './Contact.module.css';
import type { ContactFields } from './contact-form.ts';
import type { WaitingMessage } from './contact-messages.ts';
import { SendResultDialog } from './SendResultDialog.tsx';
import { type SendToSupport, useContactForm } from './useContactForm.ts';
import { removeFromList, WaitingMessages } from './WaitingMessages.tsx';

type ContactFormState = ReturnType<typeof useContactForm>;

/** One digit more than a number has, so that the user sees that the number is too long. */
const MAX_TYPED_DIGITS = 11;

function AgreeField({ contact: { form, check } }: { contact: ContactFormState }) {
  const errorId = useId();
  const error = form.errors.agreeToTerms;
  return (
    <div>
      <Checkbox
        name="agreeToTerms"
        checked={form.values.agreeToTerms}
        disabled={form.isBusy}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? errorId : undefined}
        onChange={({ target }) => form.change({ agreeToTerms: target.checked })}
        onBlur={() => check('agreeToTerms')}
      >
        <Trans>
          I agree to the{' '}
          <Link to="/terms" target="_blank" rel="noopener">
            terms and conditions
          </Link>
        </Trans>
      </Checkbox>
      <FieldError id={errorId} text={error} />
    </div>
  );
}

/** All fields of the form, and a hidden honeypot field that only robots fill. */
function ContactFormFields({ contact }: { contact: ContactFormState }) {
  const { form, check } = contact;
  const fieldOf = <N extends keyof ContactFields>(name: N) => ({ form, name, onBlur: () => check(name) });
  return (
    <>
      <TextField {...fieldOf('name')} label={t`Name`} autoComplete="name" required />
      <TextField {...fieldOf('email')} label={t`Email`} type="email" autoComplete="email" required />
      <TextField
        {...fieldOf('phone')}
        label={t`Mobile number`}
        hint={t`(optional)`}
        type="tel"
        inputMode="numeric"
        autoComplete="tel-national"
        normalise={(text) => normaliseTypedMobile(text, MAX_TYPED_DIGITS)}
        leftOut={(text) => leftOutOfMobile(text, MAX_TYPED_DIGITS)}
        renderInput={(input) => (
          <ControlGroup>
            <Select
              aria-label={t`Country code`}
              name="countryCode"
              autoComplete="tel-country-code"
              defaultValue="+91"
              short="+91"
              options={[['+91', t`+91 India`]]}
            />
            {input}
          </ControlGroup>
        )}
      />
      <TextField {...fieldOf('company')} label={t`Company`} hint={t`(optional)`} autoComplete="organization" />
      <TextField {...fieldOf('subject')} label={t`Subject`} autoComplete="off" required />
      <TextAreaField {...fieldOf('message')} label={t`Message`} hint={t`10 to 1000 characters`} rows={6} required />
      <div className="sr" aria-hidden="true">
        <label htmlFor="website">{t`Leave this empty`}</label>
        <input id="website" name="website" type="text" tabIndex={-1} autoComplete="off" />
      </div>
      <AgreeField contact={contact} />
    </>
  );
}

/**
 * The contact form below the user's queued messages. The messages and the draft are not shown to another
 * user. The message of a signed-in user becomes a thread with support.
 */
export function ContactForm({ sendToSupport }: { sendToSupport: SendToSupport }) {
  const user = useSession()?.user;
  return <UserContactForm key={user?._id ?? ''} user={user} sendToSupport={sendToSupport} />;
}

const NO_MESSAGES: readonly WaitingMessage[] = [];
// A new device has no messages.
const loadWaitingMessages = async () => {
  await whenDatabaseIsWanted();
  return (await import('./contact-messages.ts')).waitingMessages;
};

function UserContactForm({ user, sendToSupport }: { user: User | undefined; sendToSupport: SendToSupport }) {
  const contact = useContactForm(user, sendToSupport);
  // Queued and refused messages, oldest first. Empty without storage.
  const messages = useLiveRows(loadWaitingMessages).rows ?? NO_MESSAGES;
  const { form } = contact;
  const outbox = useRef<HTMLDivElement>(null);
  const isQueued = contact.outcome?.kind === 'queued';
  const queuedThread = contact.outcome?.kind === 'queued' ? contact.outcome.threadId : undefined;
  // The list of queued messages is above the form and may be out of view.
  useEffect(() => {
    if (isQueued && (messages.length > 0 || queuedThread !== undefined)) outbox.current?.focus();
  }, [isQueued, queuedThread, messages.length]);

  function submit() {
    const honeypot = form.ref.current?.elements.namedItem('website');
    void contact.send(honeypot instanceof HTMLInputElement ? honeypot.value : '');
  }

  async function edit({ id, form: written }: WaitingMessage) {
    if (!(await removeFromList(id))) return;
    contact.edit(written);
    form.ref.current?.querySelector<HTMLElement>('[name="message"]')?.focus();
  }

  return (
    <Panel aria-labelledby="write">
      <div className="stack">
        <h2 id="write">{t`Write to us`}</h2>
        <div ref={outbox} tabIndex={-1} className={css.outbox}>
          {queuedThread !== undefined && (
            <Note tone="amber" icon="clock">
              <p role="status">
                <Trans>
                  Your message waits on this phone until it is sent. You find it and the answer under{' '}
                  <Link to={`/dashboard/support/${queuedThread}`}>Support</Link>.
                </Trans>
              </p>
            </Note>
          )}
          <WaitingMessages messages={messages} onEdit={(message) => void edit(message)} />
        </div>
        <FormElement form={form} method="dialog" onSubmit={submit}>
          <ContactFormFields contact={contact} />
          <Button type="submit" look="main" busy={form.isBusy}>
            {t`Send Message`}
          </Button>
        </FormElement>
      </div>
      <SendResultDialog
        outcome={contact.outcome}
        onLater={() => void contact.sendLater()}
        onClose={contact.closeOutcome}
      />
    </Panel>
  );
}
