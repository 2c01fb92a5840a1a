import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { normaliseTypedCode } from '@nivida/contract/fields';
import { useEffect, useRef } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Note } from '../../ui/feedback/Note.tsx';
import { CodeInput, Field } from '../../ui/form/Field.tsx';
import type { Form } from '../../ui/form/useForm.ts';

interface EmailCodeFieldProps {
  /** The new address, to which the code was sent. */
  email: string;
  /** The current address. It stays valid until the new one is verified. */
  present: string;
  form: Form<{ otp: string }>;
  onSendAgain: () => void;
}

/** The field for the code that verifies a changed e-mail address. */
export function EmailCodeField({ email, present, form, onSendAgain }: EmailCodeFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  return (
    <>
      <Note tone="blue">
        <Trans>
          We sent a code to {email}. Enter it to change your email; until then it stays {present}.
        </Trans>
      </Note>
      <Field label={t`Code from the email`} error={form.errors.otp}>
        {(control) => (
          <CodeInput
            {...control}
            ref={input}
            name="otp"
            placeholder={t`Enter 6-digit OTP`}
            readOnly={form.isBusy}
            code={form.values.otp}
            onCode={(text) => form.change({ otp: normaliseTypedCode(text) })}
          />
        )}
      </Field>
      <div className="row">
        <Button type="submit" look="main" busy={form.isBusy}>
          {t`Verify Email`}
        </Button>
        <Button look="plain" disabled={form.isBusy} onClick={onSendAgain}>
          {t`Send a new code`}
        </Button>
      </div>
    </>
  );
}
