import type { User } from '@nivida/contract/account/user';
import { type FormEvent, useRef } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Panel } from '../../ui/display/Panel.tsx';
import { Note } from '../../ui/feedback/Note.tsx';
import { Field, Input } from '../../ui/form/Field.tsx';
import { useOnline } from '../../ui/useOnline.ts';
import { EmailCodeField } from './EmailCodeField.tsx';
import { normaliseMobile } from './profile.ts';
import { type ProfileSaveResult, useProfileForm } from './useProfileForm.ts';

/** How the last press ended, in words. */
function SaveResult(props: { outcome: ProfileSaveResult | undefined; isBusy: boolean; onSignIn: () => void }) {
  const { outcome, isBusy, onSignIn } = props;
  const isOnline = useOnline();
  if (outcome?.kind === 'failed') {
    return (
      <Note tone="red" icon="warning" alert>
        <div className="row">
          <p>{outcome.message}</p>
          {outcome.needsSignIn && <Button onClick={onSignIn}>Sign in</Button>}
        </div>
      </Note>
    );
  }
  if (outcome?.kind === 'offline' && !isOnline) {
    return (
      <Note tone="amber" icon="offline" alert>
        No signal, so nothing was sent. What you typed stays here: press the button again when there is signal.
      </Note>
    );
  }
  return (
    <div role="status">
      {isBusy && <span className="sr">Updating your profile</span>}
      {outcome?.kind === 'saved' && (
        <Note tone="green" icon="check">
          Profile updated successfully!
        </Note>
      )}
    </div>
  );
}

/** Name, e-mail and mobile number of the signed-in user, to be changed; `onSignIn` asks for a fresh sign-in. */
export function ProfileEditor({ user, onSignIn }: { user: User; onSignIn: () => void }) {
  const { fields, code, errors, outcome, awaited, isBusy, change, send } = useProfileForm(user);
  const form = useRef<HTMLFormElement>(null);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (isBusy) return;
    const wrong = await send(awaited !== null);
    const field = wrong && form.current?.elements.namedItem(wrong);
    if (field instanceof HTMLElement) field.focus();
  }

  return (
    <Panel>
      <form className="stack" ref={form} noValidate onSubmit={submit}>
        <Field label="Username" error={errors.username}>
          {(control) => (
            <Input
              {...control}
              name="username"
              autoComplete="name"
              required
              readOnly={isBusy}
              value={fields.username}
              onChange={({ target }) => change({ username: target.value })}
            />
          )}
        </Field>
        <Field label="Email" error={errors.email}>
          {(control) => (
            <Input
              {...control}
              name="email"
              type="email"
              autoComplete="email"
              required
              readOnly={isBusy}
              value={fields.email}
              onChange={({ target }) => change({ email: target.value })}
            />
          )}
        </Field>
        <Field label="Mobile number" hint="10 digits, without +91" error={errors.mobileNo}>
          {(control) => (
            <Input
              {...control}
              name="mobileNo"
              type="tel"
              inputMode="numeric"
              autoComplete="tel-national"
              required
              readOnly={isBusy}
              value={fields.mobileNo}
              onChange={({ target }) => change({ mobileNo: normaliseMobile(target.value) })}
            />
          )}
        </Field>
        {awaited !== null && (
          <EmailCodeField
            email={awaited}
            present={user.email}
            code={code}
            error={errors.otp}
            isBusy={isBusy}
            onChange={(otp) => change({ otp })}
            onSendAgain={() => void send(false)}
          />
        )}
        <SaveResult outcome={outcome} isBusy={isBusy} onSignIn={onSignIn} />
        {awaited === null && (
          <Button type="submit" look="main" busy={isBusy}>
            Update Profile
          </Button>
        )}
      </form>
    </Panel>
  );
}
