import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { fieldErrorsOf } from '../../data/server/api.ts';
import { useMutation } from '../../data/useMutation.ts';
import { Button } from '../../ui/Button.tsx';
import { Panel } from '../../ui/display/Panel.tsx';
import { showToast } from '../../ui/feedback/toast.ts';
import { Field } from '../../ui/form/Field.tsx';
import { PasswordInput } from '../../ui/form/PasswordInput.tsx';
import { ErrorText } from '../../ui/Problem.tsx';
import { changePassword, type PasswordErrors, type PasswordFields, validatePasswords } from './password.ts';
import { refreshSessions } from './sessions.ts';

const EMPTY_PASSWORDS: PasswordFields = { currentPassword: '', newPassword: '' };

/** What the form holds and shows, and what its button does. */
function useChangePasswordForm(userId: string) {
  const [passwords, setPasswords] = useState(EMPTY_PASSWORDS);
  const [errors, setErrors] = useState<PasswordErrors>({});
  const action = useMutation('Failed to change the password');
  const form = useRef<HTMLFormElement>(null);

  function change(name: keyof PasswordFields, value: string) {
    setPasswords({ ...passwords, [name]: value });
    setErrors({ ...errors, [name]: undefined });
    action.clear();
  }

  /** True when a field is wrong; the first one gets the focus. */
  function showErrors(wrong: PasswordErrors): boolean {
    const [first] = Object.keys(wrong);
    setErrors(wrong);
    const field = first && form.current?.elements.namedItem(first);
    if (field instanceof HTMLElement) field.focus();
    return first !== undefined;
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (action.isBusy || showErrors(validatePasswords(passwords))) return;
    const sendChange = async () => showToast({ text: await changePassword(passwords) });
    if (!(await action.run(sendChange, (error) => showErrors(fieldErrorsOf(error))))) return;
    setPasswords(EMPTY_PASSWORDS);
    void refreshSessions(userId);
  }

  return { passwords, errors, action, form, change, submit };
}

interface ChangePasswordProps {
  userId: string;
  /** Under which the browser's password store keeps the password. */
  mobileNo: string;
  /** Draws a word about a password that is being chosen. */
  renderHint: (password: string) => ReactNode;
}

/** The form that changes the password. */
export function ChangePassword({ userId, mobileNo, renderHint }: ChangePasswordProps) {
  const { passwords, errors, action, form, change, submit } = useChangePasswordForm(userId);
  return (
    <Panel aria-labelledby="password">
      <form className="stack" ref={form} noValidate onSubmit={submit}>
        <h2 id="password">Change password</h2>
        <input type="text" name="username" autoComplete="username" value={mobileNo} readOnly hidden />
        <Field label="Current password" error={errors.currentPassword}>
          {(control) => (
            <PasswordInput
              {...control}
              name="currentPassword"
              autoComplete="current-password"
              required
              readOnly={action.isBusy}
              value={passwords.currentPassword}
              onChange={({ target }) => change('currentPassword', target.value)}
            />
          )}
        </Field>
        <div>
          <Field label="New password" error={errors.newPassword}>
            {(control) => (
              <PasswordInput
                {...control}
                name="newPassword"
                autoComplete="new-password"
                required
                readOnly={action.isBusy}
                value={passwords.newPassword}
                onChange={({ target }) => change('newPassword', target.value)}
              />
            )}
          </Field>
          {renderHint(passwords.newPassword)}
        </div>
        <ErrorText text={action.problem} />
        <div className="row">
          <Button type="submit" busy={action.isBusy}>
            Change Password
          </Button>
        </div>
      </form>
    </Panel>
  );
}
