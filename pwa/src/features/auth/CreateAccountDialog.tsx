import { type FormEvent, useEffect, useState } from 'react';
import { wrongFields } from '../../data/api.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { Field, Input } from '../../ui/Field.tsx';
import { Steps } from '../../ui/Steps.tsx';
import css from './auth.module.css';
import { CompanyFields } from './CompanyFields.tsx';
import { register } from './calls.ts';
import { DIALOG_TITLES, openAuthDialog } from './dialogs.ts';
import { clearDraft, type Draft, readDraft, saveDraft } from './draft.ts';
import { EmailField } from './EmailField.tsx';
import { FailureBox } from './FailureBox.tsx';
import { failureText } from './failure.ts';
import { type FormState, useForm } from './form.ts';
import { MobileField } from './MobileField.tsx';
import { NewPasswordFields } from './NewPasswordFields.tsx';
import { Notice } from './Notice.tsx';
import { checkCompany, checkPassword, checkPerson, refusedStep, type Secrets, toRegistration } from './registration.ts';

const STEPS = ['You', 'Password', 'Company'];
const FIRST = 1;
const LAST = 3;

interface PersonFieldsProps {
  draft: Draft;
  wizard: FormState;
  onChange: (draft: Draft) => void;
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
      <Notice />
    </>
  );
}

interface CreateAccountDialogProps {
  onClose: () => void;
  onDone: () => void;
}

/** SPEC's 'Create Account' in three steps. What is typed stays in this tab's draft, but for the password. */
export function CreateAccountDialog({ onClose, onDone }: CreateAccountDialogProps) {
  const [draft, setDraft] = useState(() => readDraft(Date.now()));
  const [secrets, setSecrets] = useState<Secrets>({ password: '', confirmPassword: '' });
  const [agreeToTerms, setAgreeToTerms] = useState(false);
  const { step } = draft;
  const wizard = useForm(step);
  const { form, errors, failure, busy, show, edited, clear, run } = wizard;
  const isBusy = busy !== null;
  useEffect(() => saveDraft(draft), [draft]);

  const go = (to: number) => {
    clear();
    setDraft({ ...draft, step: to === FIRST ? 1 : to === LAST ? 3 : 2 });
  };
  const send = () =>
    run(
      'register',
      async () => {
        await register(toRegistration(draft, secrets));
        clearDraft();
        onDone();
      },
      (error) => {
        const refused = refusedStep(wrongFields(error));
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
      1: () => checkPerson(draft),
      2: () => checkPassword(secrets),
      3: () => checkCompany(draft, agreeToTerms),
    };
    const wrong = checks[step]();
    if (Object.keys(wrong).length > 0) show(wrong);
    else if (step === LAST) void send();
    else go(step + 1);
  };

  return (
    <Dialog title={DIALOG_TITLES.register} onClose={onClose} isForm>
      <form className="stack" ref={form} onSubmit={submit} noValidate>
        <Steps names={STEPS} current={step} />
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
          <Button disabled={isBusy || step === FIRST} onClick={() => go(step - 1)}>
            Back
          </Button>
          <Button look="main" type="submit" disabled={isBusy} busy={busy === 'register'}>
            {step === LAST ? 'Register' : 'Next'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
