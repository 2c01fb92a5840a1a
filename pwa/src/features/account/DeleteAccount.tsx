import { Said } from '@nivida/contract/auth';
import { type FormEvent, useRef, useState } from 'react';
import { api, wrongFields } from '../../data/api.ts';
import { usePress } from '../../data/press.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { PasswordInput } from '../../ui/PasswordInput.tsx';
import { Problem } from '../../ui/Problem.tsx';
import { Sheet } from '../../ui/Sheet.tsx';

interface DeleteAccountProps {
  /** Under which the browser's password store keeps the password. */
  mobileNo: string;
  /** The server has closed the account and ended its sessions; gets what it said. */
  onDeleted: (message: string) => void;
}

function DeleteDialog({ mobileNo, onDeleted, onClose }: DeleteAccountProps & { onClose: () => void }) {
  const [password, setPassword] = useState('');
  const [error, setError] = useState<string>();
  const action = usePress('Failed to delete the account');
  const input = useRef<HTMLInputElement>(null);

  function show(wrong: string | undefined): boolean {
    setError(wrong);
    if (wrong !== undefined) input.current?.focus();
    return wrong !== undefined;
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (action.isBusy || show(password === '' ? 'Password is required' : undefined)) return;
    const call = async () => {
      const { message } = await api.delete('api/me', { json: { password } }).json(Said);
      onDeleted(message);
    };
    await action.run(call, (refusal) => show(wrongFields(refusal).password));
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
        <Problem text={action.problem} />
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
    <Sheet stack aria-labelledby="delete">
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
      {isAsking && <DeleteDialog {...props} onClose={() => setIsAsking(false)} />}
    </Sheet>
  );
}
