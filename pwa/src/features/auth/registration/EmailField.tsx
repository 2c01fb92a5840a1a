import { t } from '@lingui/core/macro';
import { OtpGenerateRequest, OtpVerifyRequest } from '@nivida/contract/account/auth';
import { normaliseTypedCode } from '@nivida/contract/fields';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { failureText } from '../../../data/server/api.ts';
import { Button } from '../../../ui/Button.tsx';
import { Icon } from '../../../ui/display/Icon.tsx';
import { CodeInput, ControlGroup, Field } from '../../../ui/form/Field.tsx';
import { TextField } from '../../../ui/form/FormFields.tsx';
import { type Form, validateForm } from '../../../ui/form/useForm.ts';
import css from '../auth.module.css';
import { requestEmailCode, verifyEmailCode } from '../auth-api.ts';
import { minutesAndSeconds, secondsLeft, useSecondTick } from './countdown.ts';
import type { RegistrationValues } from './registration.ts';
import { withEmail } from './registration-draft.ts';

/** The server sends another code only after this time. */
const RESEND_SECONDS = 60;

/**
 * Shows when a new code can be requested. It is not a live region, because a screen reader would read it out
 * each second.
 */
function ResendCode({ sentAt, isDisabled, onResend }: { sentAt: number; isDisabled: boolean; onResend: () => void }) {
  const now = useSecondTick();
  const seconds = secondsLeft(sentAt, RESEND_SECONDS, now);
  if (seconds > 0) return <span>{t`New code in ${minutesAndSeconds(seconds)}`}</span>;
  return (
    <Button look="plain" disabled={isDisabled} onClick={onResend}>
      {t`Send a new code`}
    </Button>
  );
}

/**
 * The e-mail address and its verification. The user enters the code that was mailed; then the address is
 * read-only.
 */
export function EmailField({ form }: { form: Form<RegistrationValues> }) {
  const { ref, errors, busy, isBusy, change } = form;
  const otpField = useRef<HTMLInputElement>(null);
  const emailField = useRef<HTMLInputElement>(null);
  const { email, otp, codeSentAt, verifiedAt } = form.values;
  const isAwaitingCode = codeSentAt !== null && verifiedAt === null;

  // The focus moves to the code's field. After the verification that field is removed.
  useEffect(() => {
    if (codeSentAt !== null) otpField.current?.focus();
  }, [codeSentAt]);
  useEffect(() => {
    if (verifiedAt !== null) ref.current?.querySelector<HTMLElement>('[name="mobileNo"]')?.focus();
  }, [verifiedAt, ref]);

  const requestCode = () =>
    void form.submit(
      validateForm(OtpGenerateRequest, { email }),
      async (sent) => {
        await requestEmailCode(sent.email);
        change({ otp: '', codeSentAt: Date.now(), verifiedAt: null });
      },
      (error) => ({
        text: '',
        errors: { [isAwaitingCode ? 'otp' : 'email']: failureText(error, t`Error sending OTP`) },
      }),
      'code',
    );
  const submitCode = () =>
    void form.submit(
      validateForm(OtpVerifyRequest, { email, otp }),
      async (sent) => {
        await verifyEmailCode(sent.email, sent.otp);
        change({ otp: '', verifiedAt: Date.now() });
      },
      (error) => ({ text: '', errors: { otp: failureText(error, t`Error verifying OTP`) } }),
      'verify',
    );
  const changeEmail = () => {
    change({ codeSentAt: null, verifiedAt: null });
    emailField.current?.focus();
  };
  const verifyOnEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    submitCode();
  };

  return (
    <>
      <div>
        <TextField
          form={form}
          name="email"
          label={t`Email`}
          ref={emailField}
          type="email"
          inputMode="email"
          autoComplete="email"
          readOnly={verifiedAt !== null}
          onChange={({ target }) => {
            change(withEmail(form.values, target.value));
            form.edited('email', 'otp');
          }}
          renderInput={(input) => (
            <ControlGroup>
              {input}
              {verifiedAt === null && !isAwaitingCode && (
                <Button disabled={isBusy} busy={busy === 'code'} onClick={requestCode}>
                  {t`Verify Email`}
                </Button>
              )}
            </ControlGroup>
          )}
        />
        <div className={css.verification}>
          <div role="status">
            {verifiedAt !== null && (
              <p className={css.verified}>
                <Icon name="check" small /> {t`Email verified successfully!`}
              </p>
            )}
            {isAwaitingCode && <p className={css.sent}>{t`Code sent to ${email}. Check your spam folder too.`}</p>}
          </div>
          {verifiedAt !== null && (
            <Button look="link" disabled={isBusy} onClick={changeEmail}>
              {t`Change email`}
            </Button>
          )}
        </div>
      </div>
      {isAwaitingCode && (
        <div>
          <Field label={t`OTP`} error={errors.otp}>
            {(control) => (
              <ControlGroup>
                <CodeInput
                  {...control}
                  ref={otpField}
                  name="otp"
                  placeholder={t`Enter 6-digit OTP`}
                  readOnly={isBusy}
                  code={otp}
                  onKeyDown={verifyOnEnter}
                  onCode={(text) => change({ otp: normaliseTypedCode(text) })}
                />
                <Button disabled={isBusy} busy={busy === 'verify'} onClick={submitCode}>
                  {t`Verify`}
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
