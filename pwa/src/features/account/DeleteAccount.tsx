import { MessageResponse } from '@nivida/contract/account/auth';
import { type FormEvent, useRef, useState } from 'react';
import { api, fieldErrorsOf } from '../../data/server/api.ts';
import { useMutation } from '../../data/useMutation.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { Panel } from '../../ui/display/Panel.tsx';
import { Field } from '../../ui/form/Field.tsx';
import { PasswordInput } from '../../ui/form/PasswordInput.tsx';
import { ErrorText } from '../../ui/Problem.tsx';

interface DeleteAccountProps {
  /** Under which the browser's password store keeps the password. */
  mobileNo: string;
  /** The server has closed the account and ended its sessions; gets what it said. */
  onDeleted: (message: string) => void;
}

function DeleteAccountDialog({ mobileNo, onDeleted, onClose }: DeleteAccountProps & { onClose: () => void }) {
  const [password, setPassword] = useState('');
  const [error, setError] = useState<string>();
  const action = useMutation('Failed to delete the account');
  const input = useRef<HTMLInputElement>(null);

  function showError(wrong: string | undefined): boolean {
    setError(wrong);
    if (wrong !== undefined) input.current?.focus();
    return wrong !== undefined;
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (action.isBusy || showError(password === '' ? 'Password is required' : undefined)) return;
    const call = async () => {
      const { message } = await api.delete('api/me', { json: { password } }).json(MessageResponse);
      onDeleted(message);
    };
    await action.run(call, (refusal) => showError(fieldErrorsOf(refusal).password));
  }

  return (
    <Dialog title="Delete your account?" onClose={onClose} isForm>
      <form className="stack" noValidate onSubmit={submit}>
        <p>
          You are signed out on all devices now, and your data is erased after 7 days. To keep the account, sign in
          within these 7 days.
        </p>
        <input type="text" name="username" autoComplete="username" value={mobileNo} readOnly hidden />
        <Field label="Your password" error={error}>
          {(control) => (
            <PasswordInput
              {...control}
              ref={input}
              name="password"
              autoComplete="current-password"
              required
              readOnly={action.isBusy}
              value={password}
              onChange={({ target }) => {
                setPassword(target.value);
                setError(undefined);
                action.clear();
              }}
            />
          )}
        </Field>
        <ErrorText text={action.problem} />
        <DialogActions>
          <Button onClick={onClose}>Keep it</Button>
          <Button type="submit" look="main" busy={action.isBusy}>
            Delete Account
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** The way to end the account. */
export function DeleteAccount(props: DeleteAccountProps) {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <Panel stack aria-labelledby="delete">
      <h2 id="delete">Delete account</h2>
      <p className="s muted">
        The account is closed at once and erased after 7 days; signing in within these 7 days keeps it. Erased are
        profile, company, bookmarks and sessions. Invoices stay, as tax law requires.
      </p>
      <div className="row">
        <Button aria-haspopup="dialog" onClick={() => setIsAsking(true)}>
          Delete Account
        </Button>
      </div>
      {isAsking && <DeleteAccountDialog {...props} onClose={() => setIsAsking(false)} />}
    </Panel>
  );
}
