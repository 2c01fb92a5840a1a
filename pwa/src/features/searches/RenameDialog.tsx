import { type FormEvent, useRef, useState } from 'react';
import type { SavedSearchRow } from '../../data/device/schema.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { Field, Input } from '../../ui/form/Field.tsx';

const MAX_NAME_CHARACTERS = 80;

/** Renames a saved search. */
export function RenameDialog({ search, onClose }: { search: SavedSearchRow; onClose: () => void }) {
  const [name, setName] = useState(search.name);
  const [error, setError] = useState<string>();
  const input = useRef<HTMLInputElement>(null);

  async function submit(event: FormEvent) {
    event.preventDefault();
    const newName = name.trim();
    if (newName === '') {
      setError('Name is required');
      input.current?.focus();
      return;
    }
    try {
      const { renameSearchAndSend } = await import('./search-actions.ts');
      await renameSearchAndSend(search, newName);
      onClose();
    } catch {
      setError('Failed to save the name. Please try again.');
    }
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
              maxLength={MAX_NAME_CHARACTERS}
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
