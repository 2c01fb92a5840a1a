import { type FormEvent, useEffect, useState } from 'react';
import { fieldErrorsOf } from '../../../data/server/api.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../../ui/Dialog.tsx';
import { Field, Input } from '../../../ui/form/Field.tsx';
import { Steps } from '../../../ui/form/Steps.tsx';
import css from '../auth.module.css';
import { register } from '../auth-api.ts';
import { DIALOG_TITLES, openAuthDialog } from '../dialogs.ts';
import { FailureBox } from '../FailureBox.tsx';
import { failureText } from '../failure.ts';
import { MobileField } from '../MobileField.tsx';
import { NewPasswordFields } from '../password/NewPasswordFields.tsx';
import { type FormState, useForm } from '../useForm.ts';
import { CompanyFields } from './CompanyFields.tsx';
import { EmailField } from './EmailField.tsx';
import { PrivacyNotice } from './PrivacyNotice.tsx';
import {
  firstRefusedStep,
  type NewPasswordValues,
  toRegistrationBody,
  validateCompanyStep,
  validatePasswordStep,
  validatePersonStep,
} from './registration.ts';
import {
  clearRegistrationDraft,
  type RegistrationDraft,
  readRegistrationDraft,
  saveRegistrationDraft,
} from './registration-draft.ts';

const STEP_NAMES = ['You', 'Password', 'Company'];
const FIRST_STEP = 1;
const LAST_STEP = 3;

interface PersonFieldsProps {
  draft: RegistrationDraft;
  wizard: FormState;
  onChange: (draft: RegistrationDraft) => void;
}

/** Step 1: who registers. */
function PersonFields({ draft, wizard, onChange }: PersonFieldsProps) {
  const { errors, busy, edited } = wizard;
  return (
    <>
      <Field label="Full name" error={errors.name}>
        {(control) => (
          <Input
            {...control}
            name="name"
            autoComplete="name"
            maxLength={100}
            readOnly={busy !== null}
            value={draft.name}
            onChange={(event) => {
              onChange({ ...draft, name: event.target.value });
              edited('name');
            }}
          />
        )}
      </Field>
      <EmailField draft={draft} wizard={wizard} onChange={onChange} />
      <MobileField
        codes="all"
        countryCode={draft.countryCode}
        mobileNo={draft.mobileNo}
        error={errors.mobileNo}
        isDisabled={busy !== null}
        onChange={(changed) => {
          onChange({ ...draft, ...changed });
          edited('mobileNo');
        }}
      />
      <PrivacyNotice />
    </>
  );
}

interface CreateAccountDialogProps {
  onClose: () => void;
  onDone: () => void;
}

/** SPEC's 'Create Account' in three steps. What is typed stays in this tab's draft, but for the password. */
export function CreateAccountDialog({ onClose, onDone }: CreateAccountDialogProps) {
  const [draft, setDraft] = useState(() => readRegistrationDraft(Date.now()));
  const [secrets, setSecrets] = useState<NewPasswordValues>({ password: '', confirmPassword: '' });
  const [agreeToTerms, setAgreeToTerms] = useState(false);
  const { step } = draft;
  const wizard = useForm(step);
  const { form, errors, failure, busy, show, edited, clear, run } = wizard;
  const isBusy = busy !== null;
  useEffect(() => saveRegistrationDraft(draft), [draft]);

  const goToStep = (to: number) => {
    clear();
    setDraft({ ...draft, step: to === FIRST_STEP ? 1 : to === LAST_STEP ? 3 : 2 });
  };
  const sendRegistration = () =>
    run(
      'register',
      async () => {
        await register(toRegistrationBody(draft, secrets));
        clearRegistrationDraft();
        onDone();
      },
      (error) => {
        const refused = firstRefusedStep(fieldErrorsOf(error));
        if (refused) {
          // an address that the server does not take is to be verified again, or another one
          const again = refused.errors.email && { codeSentAt: null, verifiedAt: null };
          setDraft({ ...draft, step: refused.step, ...again });
        }
        show(refused?.errors ?? {});
        return failureText(error, 'Failed to register');
      },
    );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const checks = {
      1: () => validatePersonStep(draft),
      2: () => validatePasswordStep(secrets),
      3: () => validateCompanyStep(draft, agreeToTerms),
    };
    const stepErrors = checks[step]();
    if (Object.keys(stepErrors).length > 0) show(stepErrors);
    else if (step === LAST_STEP) void sendRegistration();
    else goToStep(step + 1);
  };

  return (
    <Dialog title={DIALOG_TITLES.register} onClose={onClose} isForm>
      <form className="stack" ref={form} onSubmit={submit} noValidate>
        <Steps names={STEP_NAMES} current={step} />
        <FailureBox text={failure} />
        {step === 1 && <PersonFields draft={draft} wizard={wizard} onChange={setDraft} />}
        {/* for the browser's password store: under what the password is kept */}
        {step === 2 && <input hidden readOnly autoComplete="username" value={draft.mobileNo} />}
        {step === 2 && (
          <NewPasswordFields
            label="Password"
            secrets={secrets}
            errors={errors}
            isDisabled={isBusy}
            known={[draft.name, draft.email, draft.mobileNo, draft.companyName]}
            onChange={(changed, field) => {
              setSecrets(changed);
              edited(field);
            }}
          />
        )}
        {step === 3 && (
          <CompanyFields
            draft={draft}
            agreeToTerms={agreeToTerms}
            wizard={wizard}
            onChange={setDraft}
            onAgree={setAgreeToTerms}
          />
        )}
        <p className={css.switch}>
          Already have an account?
          <Button look="plain" disabled={isBusy} onClick={() => openAuthDialog('sign-in')}>
            Sign in
          </Button>
        </p>
        <DialogActions>
          <Button disabled={isBusy || step === FIRST_STEP} onClick={() => goToStep(step - 1)}>
            Back
          </Button>
          <Button look="main" type="submit" disabled={isBusy} busy={busy === 'register'}>
            {step === LAST_STEP ? 'Register' : 'Next'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
