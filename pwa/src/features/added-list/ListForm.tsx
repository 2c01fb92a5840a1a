import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Field, TextArea } from '../../ui/form/Field.tsx';
import { FileButton } from '../../ui/form/FileButton.tsx';
import { limitsText, saveList, saveListFile } from './list-actions.ts';

/** Takes a pasted list or a file. `onSaved` is called when the device has it. */
export function ListForm({ onSaved }: { onSaved: () => void }) {
  const [text, setText] = useState('');
  const [error, setError] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  async function save(saving: Promise<string | undefined>) {
    setIsBusy(true);
    const problem = await saving;
    setIsBusy(false);
    setError(problem);
    if (problem === undefined) onSaved();
  }
  return (
    <form
      className="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save(saveList(text));
      }}
    >
      <p>
        {t`Paste tender ids, NIT numbers or links, one on each line, or choose a CSV file. The column with the ids is found by itself.`}
      </p>
      <Field label={t`Your list`} error={error}>
        {(control) => (
          <TextArea
            {...control}
            rows={6}
            autoComplete="off"
            spellCheck={false}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        )}
      </Field>
      <p className="s muted">{limitsText()}</p>
      <div className="row">
        <Button look="main" type="submit" busy={isBusy}>
          {t`Find the tenders`}
        </Button>
        <FileButton
          accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain"
          isSingle
          onFiles={([file]) => file && void save(saveListFile(file))}
        >
          {t`Choose a CSV file`}
        </FileButton>
      </div>
    </form>
  );
}
