import { OtpGenerateRequest, OtpVerifyRequest } from '@nivida/contract/account/auth';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { Icon } from '../../../ui/display/Icon.tsx';
import { CodeInput, ControlGroup, Field, Input } from '../../../ui/form/Field.tsx';
import css from '../auth.module.css';
import { requestEmailCode, verifyEmailCode } from '../auth-api.ts';
import { failureText } from '../failure.ts';
import { type FormState, validateForm } from '../useForm.ts';
import { secondsLeft, useSecondTick } from './countdown.ts';
import { type RegistrationDraft, withEmail } from './registration-draft.ts';

/** The server sends another code after this long. */
const RESEND_SECONDS = 60;

interface EmailFieldProps {
  draft: RegistrationDraft;
  wizard: FormState;
  onChange: (draft: RegistrationDraft) => void;
}

/** When a new code may be asked for; the clock is no live region, which would be read out each second. */
function ResendCode({ sentAt, isDisabled, onResend }: { sentAt: number; isDisabled: boolean; onResend: () => void }) {
  const now = useSecondTick();
  const seconds = secondsLeft(sentAt, RESEND_SECONDS, now);
  if (seconds > 0) return <span>New code in 0:{String(seconds).padStart(2, '0')}</span>;
  return (
    <Button look="plain" disabled={isDisabled} onClick={onResend}>
      Send a new code
    </Button>
  );
}

/** The e-mail address and its proof: a code is sent to it, entered, and the address is then locked. */
export function EmailField({ draft, wizard, onChange }: EmailFieldProps) {
  const { form, errors, busy, show, edited, run } = wizard;
  const [otp, setOtp] = useState('');
  const otpField = useRef<HTMLInputElement>(null);
  const emailField = useRef<HTMLInputElement>(null);
  const { email, codeSentAt, verifiedAt } = draft;
  const isBusy = busy !== null;
  const isAwaitingCode = codeSentAt !== null && verifiedAt === null;

  // the code is what comes next; when it is verified, its field has gone
  useEffect(() => {
    if (codeSentAt !== null) otpField.current?.focus();
  }, [codeSentAt]);
  useEffect(() => {
    if (verifiedAt !== null) form.current?.querySelector<HTMLElement>('[name="mobileNo"]')?.focus();
  }, [verifiedAt, form]);

  const requestCode = () => {
    const { sent, errors: wrong } = validateForm(OtpGenerateRequest, { email });
    if (!sent) return show(wrong);
    void run(
      'code',
      async () => {
        await requestEmailCode(sent.email);
        setOtp('');
        onChange({ ...draft, codeSentAt: Date.now(), verifiedAt: null });
      },
      (error) => {
        show({ [isAwaitingCode ? 'otp' : 'email']: failureText(error, 'Error sending OTP') });
        return '';
      },
    );
  };
  const submitCode = () => {
    const { sent, errors: wrong } = validateForm(OtpVerifyRequest, { email, otp });
    if (!sent) return show(wrong);
    void run(
      'verify',
      async () => {
        await verifyEmailCode(sent.email, sent.otp);
        setOtp('');
        onChange({ ...draft, verifiedAt: Date.now() });
      },
      (error) => {
        show({ otp: failureText(error, 'Error verifying OTP') });
        return '';
      },
    );
  };
  const changeEmail = () => {
    onChange({ ...draft, codeSentAt: null, verifiedAt: null });
    emailField.current?.focus();
  };
  const verifyOnEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    if (!isBusy) submitCode();
  };

  return (
    <>
      <div>
        <Field label="Email" error={errors.email}>
          {(control) => (
            <ControlGroup>
              <Input
                {...control}
                ref={emailField}
                type="email"
                name="email"
                inputMode="email"
                autoComplete="email"
                readOnly={isBusy || verifiedAt !== null}
                value={email}
                onChange={(event) => {
                  onChange(withEmail(draft, event.target.value));
                  edited('email', 'otp');
                }}
              />
              {verifiedAt !== null ? (
                <Button disabled={isBusy} onClick={changeEmail}>
                  Change email
                </Button>
              ) : (
                !isAwaitingCode && (
                  <Button disabled={isBusy} busy={busy === 'code'} onClick={requestCode}>
                    Verify Email
                  </Button>
                )
              )}
            </ControlGroup>
          )}
        </Field>
        <div role="status">
          {verifiedAt !== null && (
            <p className={css.verified}>
              <Icon name="check" small /> Email verified successfully!
            </p>
          )}
          {isAwaitingCode && <p className={css.sent}>Code sent to {email}. Look among spam too.</p>}
        </div>
      </div>
      {isAwaitingCode && (
        <div>
          <Field label="OTP" error={errors.otp}>
            {(control) => (
              <ControlGroup>
                <CodeInput
                  {...control}
                  ref={otpField}
                  name="otp"
                  placeholder="Enter 6-digit OTP"
                  readOnly={isBusy}
                  code={otp}
                  onKeyDown={verifyOnEnter}
                  onCode={(code) => {
                    setOtp(code);
                    edited('otp');
                  }}
                />
                <Button disabled={isBusy} busy={busy === 'verify'} onClick={submitCode}>
                  Verify
                </Button>
              </ControlGroup>
            )}
          </Field>
          <p className={css.sent}>
            <ResendCode sentAt={codeSentAt} isDisabled={isBusy} onResend={requestCode} />
          </p>
        </div>
      )}
    </>
  );
}
