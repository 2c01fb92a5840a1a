import { t } from '@lingui/core/macro';
import { SignInForm } from '@nivida/contract/account/auth';
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

const EMPTY_SIGN_IN = { countryCode: '+91', mobileNo: '', password: '', rememberMe: false };

interface SignInDialogProps {
  onClose: () => void;
  onDone: () => void;
}

/** SPEC's 'Welcome Back': mobile number and password. */
export function SignInDialog({ onClose, onDone }: SignInDialogProps) {
  const form = useForm(EMPTY_SIGN_IN, { stepOf: () => 1 });
  const { isBusy, values } = form;

  const submit = () =>
    form.submit(
      validateForm(SignInForm, values),
      async (credentials) => {
        await signIn(credentials);
        onDone();
      },
      (error) => ({ text: failureText(error, t`Failed to login`), errors: fieldErrorsOf(error) }),
    );

  return (
    <Dialog title={dialogTitle('sign-in')} onClose={onClose} isForm>
      <FormElement form={form} onSubmit={submit}>
        <ErrorText text={form.failure} />
        <MobileField codes="india" form={form} />
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
        <Button look="main" type="submit" disabled={isBusy} busy={isBusy}>
          {t`Sign in`}
        </Button>
        <p className={css.switch}>
          {t`No account yet?`}
          <Button look="link" disabled={isBusy} onClick={() => openAuthDialog('register')}>
            {t`Sign up`}
          </Button>
        </p>
      </FormElement>
    </Dialog>
  );
}
