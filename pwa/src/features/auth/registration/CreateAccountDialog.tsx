import { t } from '@lingui/core/macro';
import { useEffect } from 'react';
import { failureText, fieldErrorsOf } from '../../../data/server/api.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../../ui/Dialog.tsx';
import { ErrorText } from '../../../ui/feedback/Note.tsx';
import { FormElement, TextField } from '../../../ui/form/FormFields.tsx';
import { Steps } from '../../../ui/form/Steps.tsx';
import { useForm } from '../../../ui/form/useForm.ts';
import css from '../auth.module.css';
import { register } from '../auth-api.ts';
import { dialogTitle, openAuthDialog } from '../dialogs.ts';
import { MobileField } from '../MobileField.tsx';
import { NewPasswordFields } from '../password/NewPasswordFields.tsx';
import { CompanyFields } from './CompanyFields.tsx';
import { EmailField } from './EmailField.tsx';
import { PrivacyNotice } from './PrivacyNotice.tsx';
import { EMPTY_REGISTRATION, firstRefusedStep, toRegistrationBody, validateStep } from './registration.ts';
import { clearRegistrationDraft, readRegistrationDraft, saveRegistrationDraft } from './registration-draft.ts';

const stepNames = () => [t({ message: 'You', context: 'step of a registration' }), t`Password`, t`Company`];
const FIRST_STEP = 1;
const LAST_STEP = 3;

interface CreateAccountDialogProps {
  onClose: () => void;
  onDone: () => void;
}

/** SPEC's 'Create Account' in three steps. This tab's draft stores the typed values, except the password. */
export function CreateAccountDialog({ onClose, onDone }: CreateAccountDialogProps) {
  const form = useForm(EMPTY_REGISTRATION, {
    typed: () => readRegistrationDraft(Date.now()),
    stepOf: ({ step }) => step,
  });
  const { values, typed, busy, isBusy } = form;
  const { step } = values;
  useEffect(() => saveRegistrationDraft(typed), [typed]);

  const goToStep = (to: number) => form.reset({ ...typed, step: to === FIRST_STEP ? 1 : to === LAST_STEP ? 3 : 2 });
  const sendRegistration = () =>
    form.submit(
      { sent: values, errors: {} },
      async () => {
        await register(toRegistrationBody(values));
        clearRegistrationDraft();
        onDone();
      },
      (error) => {
        const refused = firstRefusedStep(fieldErrorsOf(error));
        // An address that the server refuses must be changed or verified again.
        const unverified = refused?.errors.email && { codeSentAt: null, verifiedAt: null };
        if (refused) form.change({ step: refused.step, ...unverified });
        return { text: failureText(error, t`Failed to register`), errors: refused?.errors };
      },
      'register',
    );
  const submit = () => {
    if (isBusy) return;
    const errors = validateStep(values);
    if (Object.keys(errors).length > 0) form.showErrors(errors);
    else if (step === LAST_STEP) void sendRegistration();
    else goToStep(step + 1);
  };

  return (
    <Dialog title={dialogTitle('register')} onClose={onClose} isForm>
      <FormElement form={form} onSubmit={submit}>
        <Steps names={stepNames()} current={step} />
        <ErrorText text={form.failure} />
        {step === 1 && (
          <>
            <TextField form={form} name="name" label={t`Full name`} autoComplete="name" maxLength={100} />
            <EmailField form={form} />
            <MobileField codes="all" form={form} />
            <PrivacyNotice />
          </>
        )}
        {step === 2 && (
          <>
            {/* the user name under which the browser stores the password */}
            <input hidden readOnly autoComplete="username" value={values.mobileNo} />
            <NewPasswordFields
              label={t`Password`}
              form={form}
              known={[values.name, values.email, values.mobileNo, values.companyName]}
            />
          </>
        )}
        {step === 3 && <CompanyFields form={form} />}
        <p className={css.switch}>
          {t`Already have an account?`}
          <Button look="link" disabled={isBusy} onClick={() => openAuthDialog('sign-in')}>
            {t`Sign in`}
          </Button>
        </p>
        <DialogActions>
          <Button disabled={isBusy || step === FIRST_STEP} onClick={() => goToStep(step - 1)}>
            {t`Back`}
          </Button>
          <Button look="main" type="submit" disabled={isBusy} busy={busy === 'register'}>
            {step === LAST_STEP ? t`Register` : t`Next`}
          </Button>
        </DialogActions>
      </FormElement>
    </Dialog>
  );
}
