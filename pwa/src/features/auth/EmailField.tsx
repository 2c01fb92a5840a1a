import { OtpCheck, OtpRequest } from '@nivida/contract/auth';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { CodeInput, Field, Input, Joined } from '../../ui/Field.tsx';
import { Icon } from '../../ui/Icon.tsx';
import css from './auth.module.css';
import { sendCode, verifyCode } from './calls.ts';
import { secondsLeft, useTick } from './countdown.ts';
import { type Draft, withEmail } from './draft.ts';
import { failureText } from './failure.ts';
import { check, type FormState } from './form.ts';

/** The server sends another code after this long. */
const RESEND_SECONDS = 60;

interface EmailFieldProps {
  draft: Draft;
  wizard: FormState;
  onChange: (draft: Draft) => void;
}

/** When a new code may be asked for; the clock is no live region, which would be read out each second. */
function Resend({ sentAt, isDisabled, onResend }: { sentAt: number; isDisabled: boolean; onResend: () => void }) {
  const now = useTick();
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
  const isAsking = codeSentAt !== null && verifiedAt === null;

  // the code is what comes next; when it is verified, its field has gone
  useEffect(() => {
    if (codeSentAt !== null) otpField.current?.focus();
  }, [codeSentAt]);
  useEffect(() => {
    if (verifiedAt !== null) form.current?.querySelector<HTMLElement>('[name="mobileNo"]')?.focus();
  }, [verifiedAt, form]);

  const send = () => {
    const { sent, errors: wrong } = check(OtpRequest, { email });
    if (!sent) return show(wrong);
    void run(
      'code',
      async () => {
        await sendCode(sent.email);
        setOtp('');
        onChange({ ...draft, codeSentAt: Date.now(), verifiedAt: null });
      },
      (error) => {
        show({ [isAsking ? 'otp' : 'email']: failureText(error, 'Error sending OTP') });
        return '';
      },
    );
  };
  const verify = () => {
    const { sent, errors: wrong } = check(OtpCheck, { email, otp });
    if (!sent) return show(wrong);
    void run(
      'verify',
      async () => {
        await verifyCode(sent.email, sent.otp);
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
    if (!isBusy) verify();
  };

  return (
    <>
      <div>
        <Field label="Email" error={errors.email}>
          {(control) => (
            <Joined>
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
                !isAsking && (
                  <Button disabled={isBusy} busy={busy === 'code'} onClick={send}>
                    Verify Email
                  </Button>
                )
              )}
            </Joined>
          )}
        </Field>
        <div role="status">
          {verifiedAt !== null && (
            <p className={css.verified}>
              <Icon name="check" small /> Email verified successfully!
            </p>
          )}
          {isAsking && <p className={css.sent}>Code sent to {email}. Look among spam too.</p>}
        </div>
      </div>
      {isAsking && (
        <div>
          <Field label="OTP" error={errors.otp}>
            {(control) => (
              <Joined>
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
                <Button disabled={isBusy} busy={busy === 'verify'} onClick={verify}>
                  Verify
                </Button>
              </Joined>
            )}
          </Field>
          <p className={css.sent}>
            <Resend sentAt={codeSentAt} isDisabled={isBusy} onResend={send} />
          </p>
        </div>
      )}
    </>
  );
}
