import { type FormEvent, useRef, useState } from 'react';
import type { SearchRow } from '../../data/db.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { Field, Input } from '../../ui/Field.tsx';

const LONGEST_NAME = 80;

/** Another name for a saved search. */
export function RenameDialog({ search, onClose }: { search: SearchRow; onClose: () => void }) {
  const [name, setName] = useState(search.name);
  const [error, setError] = useState<string>();
  const input = useRef<HTMLInputElement>(null);

  async function submit(event: FormEvent) {
    event.preventDefault();
    const wanted = name.trim();
    if (wanted === '') {
      setError('Name is required');
      input.current?.focus();
      return;
    }
    const { rename } = await import('./press.ts');
    await rename(search, wanted);
    onClose();
  }

  return (
    <Dialog title="Rename saved search" isForm onClose={onClose}>
      <form className="stack" noValidate onSubmit={(event) => void submit(event)}>
        <Field label="Name" error={error}>
          {(control) => (
            <Input
              {...control}
              ref={input}
              required
              maxLength={LONGEST_NAME}
              autoComplete="off"
              value={name}
              onChange={({ target }) => {
                setName(target.value);
                setError(undefined);
              }}
            />
          )}
        </Field>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="main" type="submit">
            Save
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
