import { t } from '@lingui/core/macro';
import { SignInForm } from '@nivida/contract/account/auth';
import { useEffect, useState } from 'react';
import { supportsPasskeys } from '../../data/passkeys/passkey-prompts.ts';
import { failureText, fieldErrorsOf } from '../../data/server/api.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { ErrorText } from '../../ui/feedback/Note.tsx';
import { Checkbox } from '../../ui/form/Checkbox.tsx';
import { FormElement, PasswordField } from '../../ui/form/FormFields.tsx';
import { useForm, validateForm } from '../../ui/form/useForm.ts';
import css from './auth.module.css';
import { signIn } from './auth-api.ts';
import { dialogTitle, openAuthDialog } from './dialogs.ts';
import { MobileField } from './MobileField.tsx';
import { offerPasskeys } from './passkey-sign-in.ts';
import { SecondFactorStep } from './SecondFactorStep.tsx';
import { usePasskeySignIn } from './usePasskeySignIn.ts';

const EMPTY_SIGN_IN = { countryCode: '+91', mobileNo: '', password: '', rememberMe: false };

interface SignInDialogProps {
  onClose: () => void;
  onDone: () => void;
}

/** SPEC's 'Welcome Back': mobile number and password, or a passkey; then the second step of accounts that have one. */
export function SignInDialog({ onClose, onDone }: SignInDialogProps) {
  const [secondFactorToken, setSecondFactorToken] = useState<string>();
  return (
    <Dialog title={dialogTitle('sign-in')} onClose={onClose} isForm>
      {secondFactorToken === undefined ? (
        <FirstStep onSecondFactor={setSecondFactorToken} onDone={onDone} />
      ) : (
        <SecondFactorStep
          secondFactorToken={secondFactorToken}
          onDone={onDone}
          onRestart={() => setSecondFactorToken(undefined)}
        />
      )}
    </Dialog>
  );
}

function FirstStep({ onSecondFactor, onDone }: { onSecondFactor: (token: string) => void; onDone: () => void }) {
  const form = useForm(EMPTY_SIGN_IN, { stepOf: () => 1 });
  const passkey = usePasskeySignIn(onDone);
  const { values } = form;
  const isBusy = form.isBusy || passkey.isBusy;
  const hasPasskeys = supportsPasskeys();

  // The button's prompt ends the offer in the field; it comes back after the prompt.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the offer does not depend on what is done with its result
  useEffect(() => (passkey.isBusy ? undefined : offerPasskeys(onDone, passkey.showError)), [passkey.isBusy]);

  const submit = () =>
    form.submit(
      validateForm(SignInForm, values),
      async (credentials) => {
        const token = await signIn(credentials);
        if (token === undefined) onDone();
        else onSecondFactor(token);
      },
      (error) => ({ text: failureText(error, t`Failed to login`), errors: fieldErrorsOf(error) }),
    );

  return (
    <FormElement form={form} onSubmit={submit}>
      <ErrorText text={form.failure} />
      <MobileField codes="india" offersPasskeys={hasPasskeys} form={form} />
      <PasswordField form={form} name="password" label={t`Password`} autoComplete="current-password" />
      <div className={css.between}>
        <Checkbox
          checked={values.rememberMe}
          disabled={isBusy}
          onChange={({ target }) => form.change({ rememberMe: target.checked })}
        >
          {t`Remember me`}
        </Checkbox>
        <Button look="link" disabled={isBusy} onClick={() => openAuthDialog('reset-password')}>
          {t`Forgot password?`}
        </Button>
      </div>
      <Button look="main" type="submit" disabled={isBusy} busy={form.isBusy}>
        {t`Sign in`}
      </Button>
      <ErrorText text={passkey.problem} />
      {hasPasskeys && (
        <Button
          disabled={form.isBusy}
          busy={passkey.isBusy}
          onClick={() => void passkey.signIn({ rememberMe: values.rememberMe })}
        >
          {t`Sign in with a passkey`}
        </Button>
      )}
      <p className={css.switch}>
        {t`No account yet?`}
        <Button look="link" disabled={isBusy} onClick={() => openAuthDialog('register')}>
          {t`Sign up`}
        </Button>
      </p>
    </FormElement>
  );
}
