import { SignInForm } from '@nivida/contract/account/auth';
import { type FormEvent, useState } from 'react';
import { fieldErrorsOf } from '../../data/server/api.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Checkbox } from '../../ui/form/Checkbox.tsx';
import { Field } from '../../ui/form/Field.tsx';
import { PasswordInput } from '../../ui/form/PasswordInput.tsx';
import css from './auth.module.css';
import { signIn } from './auth-api.ts';
import { DIALOG_TITLES, openAuthDialog } from './dialogs.ts';
import { FailureBox } from './FailureBox.tsx';
import { failureText } from './failure.ts';
import { MobileField } from './MobileField.tsx';
import { useForm, validateForm } from './useForm.ts';

interface SignInDialogProps {
  onClose: () => void;
  onDone: () => void;
}

/** SPEC's 'Welcome Back': mobile number and password. */
export function SignInDialog({ onClose, onDone }: SignInDialogProps) {
  const { form, errors, show, edited, failure, busy, run } = useForm();
  const isBusy = busy !== null;
  const [mobileNo, setMobileNo] = useState('');
  const [password, setPassword] = useState('');
  const [rememberMe, setRememberMe] = useState(false);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const { sent, errors: wrong } = validateForm(SignInForm, { mobileNo, password, rememberMe });
    if (!sent) return show(wrong);
    void run(
      'send',
      async () => {
        await signIn(sent);
        onDone();
      },
      (error) => {
        show(fieldErrorsOf(error));
        return failureText(error, 'Failed to login');
      },
    );
  };

  return (
    <Dialog title={DIALOG_TITLES['sign-in']} onClose={onClose} isForm>
      <form className="stack" ref={form} onSubmit={submit} noValidate>
        <FailureBox text={failure} />
        <MobileField
          codes="india"
          countryCode="+91"
          mobileNo={mobileNo}
          error={errors.mobileNo}
          isDisabled={isBusy}
          onChange={(changed) => {
            setMobileNo(changed.mobileNo);
            edited('mobileNo');
          }}
        />
        <Field label="Password" error={errors.password}>
          {(control) => (
            <PasswordInput
              {...control}
              name="password"
              autoComplete="current-password"
              readOnly={isBusy}
              value={password}
              onChange={(event) => {
                setPassword(event.target.value);
                edited('password');
              }}
            />
          )}
        </Field>
        <div className={css.between}>
          <Checkbox checked={rememberMe} disabled={isBusy} onChange={(event) => setRememberMe(event.target.checked)}>
            Remember me
          </Checkbox>
          <Button look="plain" disabled={isBusy} onClick={() => openAuthDialog('reset-password')}>
            Forgot password?
          </Button>
        </div>
        <Button look="main" type="submit" disabled={isBusy} busy={isBusy}>
          Sign in
        </Button>
        <p className={css.switch}>
          No account yet?
          <Button look="plain" disabled={isBusy} onClick={() => openAuthDialog('register')}>
            Sign up
          </Button>
        </p>
      </form>
    </Dialog>
  );
}
