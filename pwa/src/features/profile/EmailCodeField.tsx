import { useEffect, useRef } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Note } from '../../ui/feedback/Note.tsx';
import { CodeInput, Field } from '../../ui/form/Field.tsx';

interface EmailCodeFieldProps {
  /** Where the code was sent. */
  email: string;
  /** The address that counts until then. */
  present: string;
  code: string;
  error: string | undefined;
  isBusy: boolean;
  onChange: (code: string) => void;
  onSendAgain: () => void;
}

/** The place for the code that proves a changed e-mail address. */
export function EmailCodeField({ email, present, code, error, isBusy, onChange, onSendAgain }: EmailCodeFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  return (
    <>
      <Note tone="blue">
        We sent a code to {email}. Enter it to change your email; until then it stays {present}.
      </Note>
      <Field label="Code from the email" error={error}>
        {(control) => (
          <CodeInput
            {...control}
            ref={input}
            name="otp"
            placeholder="Enter 6-digit OTP"
            readOnly={isBusy}
            code={code}
            onCode={onChange}
          />
        )}
      </Field>
      <div className="row">
        <Button type="submit" look="main" busy={isBusy}>
          Verify Email
        </Button>
        <Button look="plain" disabled={isBusy} onClick={onSendAgain}>
          Send a new code
        </Button>
      </div>
    </>
  );
}
