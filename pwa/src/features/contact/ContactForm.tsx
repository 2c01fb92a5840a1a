import type { User } from '@nivida/contract/account/user';
import { type ComponentProps, type FormEvent, useEffect, useId, useRef } from 'react';
import { useSession } from '../../data/session.ts';
import { Button } from '../../ui/Button.tsx';
import { Panel } from '../../ui/display/Panel.tsx';
import { Checkbox } from '../../ui/form/Checkbox.tsx';
import { ControlGroup, Field, FieldError, Input, Select, TextArea } from '../../ui/form/Field.tsx';
import css from './Contact.module.css';
import { normaliseTypedPhone } from './contact-form.ts';
import type { WaitingMessage } from './contact-messages.ts';
import { SendResultDialog } from './SendResultDialog.tsx';
import { useContactForm } from './useContactForm.ts';
import { useWaitingMessages } from './useWaitingMessages.ts';
import { WaitingMessages } from './WaitingMessages.tsx';

type ContactFormState = ReturnType<typeof useContactForm>;

interface TextFieldProps extends ComponentProps<'input'> {
  contact: ContactFormState;
  name: 'name' | 'email' | 'company' | 'subject';
  label: string;
  hint?: string;
}

/** One line of text, checked as it is left. */
function TextField({ contact, name, label, hint, ...input }: TextFieldProps) {
  return (
    <Field label={label} {...(hint && { hint })} error={contact.errors[name]}>
      {(control) => (
        <Input
          {...control}
          {...input}
          name={name}
          readOnly={contact.isBusy}
          value={contact.fields[name]}
          onChange={({ target }) => contact.change({ [name]: target.value })}
          onBlur={() => contact.check(name)}
        />
      )}
    </Field>
  );
}

function PhoneField({ contact }: { contact: ContactFormState }) {
  return (
    <Field label="Mobile number" hint="(optional)" error={contact.errors.phone}>
      {(control) => (
        <ControlGroup>
          <Select aria-label="Country code" name="countryCode" autoComplete="tel-country-code" defaultValue="+91">
            <option value="+91">+91 India</option>
          </Select>
          <Input
            {...control}
            type="tel"
            name="phone"
            inputMode="numeric"
            autoComplete="tel-national"
            readOnly={contact.isBusy}
            value={contact.fields.phone}
            onChange={({ target }) => contact.change({ phone: normaliseTypedPhone(target.value) })}
            onBlur={() => contact.check('phone')}
          />
        </ControlGroup>
      )}
    </Field>
  );
}

function AgreeField({ contact }: { contact: ContactFormState }) {
  const errorId = useId();
  const error = contact.errors.agreeToTerms;
  return (
    <div>
      <Checkbox
        name="agreeToTerms"
        checked={contact.fields.agreeToTerms}
        disabled={contact.isBusy}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? errorId : undefined}
        onChange={({ target }) => contact.change({ agreeToTerms: target.checked })}
        onBlur={() => contact.check('agreeToTerms')}
      >
        I agree to the{' '}
        <a href="/terms" target="_blank" rel="noopener">
          terms and conditions
        </a>
      </Checkbox>
      <FieldError id={errorId} text={error} />
    </div>
  );
}

/** All fields, and the one that people do not see: what fills it is a robot. */
function ContactFormFields({ contact }: { contact: ContactFormState }) {
  return (
    <>
      <TextField contact={contact} name="name" label="Name" autoComplete="name" required />
      <TextField contact={contact} name="email" label="Email" type="email" autoComplete="email" required />
      <PhoneField contact={contact} />
      <TextField contact={contact} name="company" label="Company" hint="(optional)" autoComplete="organization" />
      <TextField contact={contact} name="subject" label="Subject" autoComplete="off" required />
      <Field label="Message" hint="10 to 1000 characters" error={contact.errors.message}>
        {(control) => (
          <TextArea
            {...control}
            name="message"
            rows={6}
            required
            readOnly={contact.isBusy}
            value={contact.fields.message}
            onChange={({ target }) => contact.change({ message: target.value })}
            onBlur={() => contact.check('message')}
          />
        )}
      </Field>
      <div className={css.website} aria-hidden="true">
        <label htmlFor="website">Leave this empty</label>
        <input id="website" name="website" type="text" tabIndex={-1} autoComplete="off" />
      </div>
      <AgreeField contact={contact} />
    </>
  );
}

/** The contact form, over the user's messages that wait. Another user finds neither them nor what was typed. */
export function ContactForm() {
  const user = useSession()?.user;
  return <UserContactForm key={user?._id ?? ''} user={user} />;
}

function UserContactForm({ user }: { user: User | undefined }) {
  const contact = useContactForm(user);
  const messages = useWaitingMessages();
  const form = useRef<HTMLFormElement>(null);
  const outbox = useRef<HTMLDivElement>(null);
  const isQueued = contact.outcome?.kind === 'kept';
  // the line that says so stands above the form, out of sight of the button
  useEffect(() => {
    if (isQueued && messages.length > 0) outbox.current?.focus();
  }, [isQueued, messages.length]);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (contact.isBusy) return;
    const honeypot = form.current?.elements.namedItem('website');
    const wrong = await contact.send(honeypot instanceof HTMLInputElement ? honeypot.value : '');
    const field = wrong && form.current?.elements.namedItem(wrong);
    if (field instanceof HTMLElement) field.focus();
  }

  async function edit({ id, form: written }: WaitingMessage) {
    const { removeMessage } = await import('./contact-messages.ts');
    await removeMessage(id);
    contact.edit(written);
    form.current?.querySelector<HTMLElement>('[name="message"]')?.focus();
  }

  return (
    <Panel aria-labelledby="write">
      <div className="stack">
        <h2 id="write">Write to us</h2>
        <div ref={outbox} tabIndex={-1} className={css.outbox}>
          <WaitingMessages messages={messages} onEdit={(message) => void edit(message)} />
        </div>
        <form className="stack" method="dialog" ref={form} noValidate onSubmit={(event) => void submit(event)}>
          <ContactFormFields contact={contact} />
          <Button type="submit" look="main" busy={contact.isBusy}>
            Send Message
          </Button>
        </form>
      </div>
      <SendResultDialog
        outcome={contact.outcome}
        onLater={() => void contact.sendLater()}
        onClose={contact.closeOutcome}
      />
    </Panel>
  );
}
