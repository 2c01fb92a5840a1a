import type { User } from '@nivida/contract/account/user';
import { leftOutOfMobile, normaliseTypedMobile } from '@nivida/contract/fields';
import type { FormEvent } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Panel } from '../../ui/display/Panel.tsx';
import { Note } from '../../ui/feedback/Note.tsx';
import { TextField } from '../../ui/form/FormFields.tsx';
import { useOnline } from '../../ui/useOnline.ts';
import { EmailCodeField } from './EmailCodeField.tsx';
import { type ProfileSaveResult, useProfileForm } from './useProfileForm.ts';

interface SaveResultProps {
  outcome: ProfileSaveResult | undefined;
  failure: string;
  isBusy: boolean;
  onSignIn: () => void;
}

function SaveResult({ outcome, failure, isBusy, onSignIn }: SaveResultProps) {
  const isOnline = useOnline();
  if (failure) {
    return (
      <Note tone="red" icon="warning" alert>
        <div className="row">
          <p>{failure}</p>
          {outcome === 'needs sign-in' && <Button onClick={onSignIn}>Sign in</Button>}
        </div>
      </Note>
    );
  }
  if (outcome === 'offline' && !isOnline) {
    return (
      <Note tone="amber" icon="offline" alert>
        No connection, so nothing was sent. What you typed stays here: press the button again when there is a
        connection.
      </Note>
    );
  }
  return (
    <div role="status">
      {isBusy && <span className="sr">Updating your profile</span>}
      {outcome === 'saved' && (
        <Note tone="green" icon="check">
          Profile updated successfully!
        </Note>
      )}
    </div>
  );
}

/** Name, e-mail and mobile number of the signed-in user, to be changed; `onSignIn` asks for a fresh sign-in. */
export function ProfileEditor({ user, onSignIn }: { user: User; onSignIn: () => void }) {
  const { form, outcome, awaitedEmail, send } = useProfileForm(user);

  function submit(event: FormEvent) {
    event.preventDefault();
    void send(awaitedEmail !== null);
  }

  return (
    <Panel>
      <form className="stack" ref={form.ref} noValidate onSubmit={submit}>
        <TextField form={form} name="username" label="Username" autoComplete="name" required />
        <TextField form={form} name="email" label="Email" type="email" autoComplete="email" required />
        <TextField
          form={form}
          name="mobileNo"
          label="Mobile number"
          hint="10 digits, without +91"
          type="tel"
          inputMode="numeric"
          autoComplete="tel-national"
          required
          normalise={normaliseTypedMobile}
          leftOut={leftOutOfMobile}
        />
        {awaitedEmail !== null && (
          <EmailCodeField email={awaitedEmail} present={user.email} form={form} onSendAgain={() => void send(false)} />
        )}
        <SaveResult outcome={outcome} failure={form.failure} isBusy={form.isBusy} onSignIn={onSignIn} />
        {awaitedEmail === null && (
          <Button type="submit" look="main" busy={form.isBusy}>
            Update Profile
          </Button>
        )}
      </form>
    </Panel>
  );
}
