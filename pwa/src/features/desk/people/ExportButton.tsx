import { t } from '@lingui/core/macro';
import { PersonActResponse, type PersonResponse } from '@nivida/contract/desk/people';
import { useState } from 'react';
import { failureText } from '../../../data/server/api.ts';
import { Button } from '../../../ui/Button.tsx';
import { ErrorText } from '../../../ui/feedback/Note.tsx';
import { saveFile } from '../../../ui/save-file.ts';
import { ActButton } from '../act/ActButton.tsx';
import { readDeskFile } from '../data/desk-call.ts';

/** Saves the stored data of an account for its user. After the act the file can be loaded again for five minutes. */
export function ExportButton({ person: { id, username } }: { person: PersonResponse }) {
  const [failure, setFailure] = useState<string>();
  async function save(): Promise<void> {
    setFailure(undefined);
    try {
      saveFile(`nivida-account-${id}.json`, await readDeskFile(`people/${id}/export`));
    } catch (error) {
      setFailure(failureText(error, t`The file could not be loaded`));
    }
  }
  return (
    <>
      <ActButton
        label={t`Export data`}
        title={t`Export all data of ${username}?`}
        path={`people/${id}/export`}
        schema={PersonActResponse}
        usualReasons={[t`Asked for under the DPDP Act`]}
        done={() => t`The file is ready`}
        onDone={() => void save()}
      >
        <p className="s muted">{t`The file has personal data. Give it to the user only, and delete it here.`}</p>
      </ActButton>
      {failure !== undefined && <Button onClick={() => void save()}>{t`Load the file again`}</Button>}
      <ErrorText text={failure} />
    </>
  );
}
