import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { User } from '@nivida/contract/account/user';
import { leftOutOfMobile, normaliseTypedMobile } from '@nivida/contract/fields';
import { confirmationProblem } from '../../data/passkeys/passkey-prompts.ts';
import { Button } from '../../ui/Button.tsx';
import { useOnline } from '../../ui/browser-state.ts';
import { Panel } from '../../ui/display/Panel.tsx';
import { Note } from '../../ui/feedback/Note.tsx';
import { FormElement, TextField } from '../../ui/form/FormFields.tsx';
import { PasskeyDialog } from '../../ui/PasskeyDialog.tsx';
import { ConfirmPassword } from './ConfirmPassword.tsx';
import { EmailCodeField } from './EmailCodeField.tsx';
import { type ProfileSaveResult, useProfileForm } from './useProfileForm.ts';

interface SaveResultProps {
  outcome: ProfileSaveResult | undefined;
  failure: string;
  isBusy: boolean;
}

function SaveResult({ outcome, failure, isBusy }: SaveResultProps) {
  const isOnline = useOnline();
  if (failure) {
    return (
      <Note tone="red" icon="warning" alert>
        {failure}
      </Note>
    );
  }
  if (outcome === 'offline' && !isOnline) {
    return (
      <Note tone="amber" icon="offline" alert>
        <Trans>
          No connection, so nothing was sent. What you typed stays here: press the button again when there is a
          connection.
        </Trans>
      </Note>
    );
  }
  return (
    <div role="status">
      {isBusy && <span className="sr">{t`Updating your profile`}</span>}
      {outcome === 'saved' && (
        <Note tone="green" icon="check">
          {t`Profile updated successfully!`}
        </Note>
      )}
    </div>
  );
}

/** Edits the name, e-mail address and mobile number of the signed-in user. */
export function ProfileEditor({ user }: { user: User }) {
  const { form, outcome, awaitedEmail, send, confirm, cancelConfirm, sendAgain, cancelPasskey } = useProfileForm(user);

  function submit() {
    void send(awaitedEmail !== null);
  }

  return (
    <Panel>
      <FormElement form={form} onSubmit={submit}>
        <TextField form={form} name="username" label={t`Username`} autoComplete="name" required />
        <TextField form={form} name="email" label={t`Email`} type="email" autoComplete="email" required />
        <TextField
          form={form}
          name="mobileNo"
          label={t`Mobile number`}
          hint={t`10 digits, without +91`}
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
        <SaveResult outcome={outcome} failure={form.failure} isBusy={form.isBusy} />
        {awaitedEmail === null && (
          <Button type="submit" look="main" busy={form.isBusy}>
            {t`Update Profile`}
          </Button>
        )}
      </FormElement>
      {confirm && <ConfirmPassword mobileNo={user.mobileNo} confirm={confirm} onClose={cancelConfirm} />}
      {sendAgain && <PasskeyDialog prompt={confirmationProblem} onDone={sendAgain} onClose={cancelPasskey} />}
    </Panel>
  );
}
