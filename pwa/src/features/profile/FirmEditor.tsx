import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type ComponentType, useEffect, useState } from 'react';
import { failureText, formFailure } from '../../data/server/api.ts';
import { Button } from '../../ui/Button.tsx';
import { useOnline } from '../../ui/browser-state.ts';
import { Panel } from '../../ui/display/Panel.tsx';
import { ListError } from '../../ui/feedback/ListError.tsx';
import { ErrorText, Note } from '../../ui/feedback/Note.tsx';
import { Spinner } from '../../ui/feedback/Spinner.tsx';
import { showToast } from '../../ui/feedback/toast.ts';
import { FormElement } from '../../ui/form/FormFields.tsx';
import { type Form, useForm } from '../../ui/form/useForm.ts';
import { type FirmValues, fetchFirm, saveFirm, validateFirm } from './firm.ts';

interface FirmEditorProps {
  userId: string;
  /** The fields of the registration form. */
  Fields: ComponentType<{ form: Form<FirmValues> }>;
}

interface FirmFormProps extends FirmEditorProps {
  firm: FirmValues;
  onSaved: (firm: FirmValues) => void;
}

function FirmForm({ userId, Fields, firm, onSaved }: FirmFormProps) {
  const isOnline = useOnline();
  const form = useForm<FirmValues>(firm);

  const submit = () =>
    form.submit(
      validateFirm(form.values),
      async (checked) => {
        onSaved(await saveFirm(userId, checked));
        form.reset();
        showToast({ text: t`Your firm was saved.` });
      },
      (error) => formFailure(error, t`Failed to save your firm`, form.values),
    );

  return (
    <FormElement form={form} onSubmit={submit}>
      <Fields form={form} />
      <p className="s muted">
        <Trans>Another state here does not change the states of your plan. Those can change once in 30 days.</Trans>
      </p>
      <ErrorText text={form.failure} />
      {!isOnline && (
        <Note tone="amber" icon="offline">
          {t`No connection. You can save your firm when there is a connection.`}
        </Note>
      )}
      <Button type="submit" look="main" busy={form.isBusy} disabled={!isOnline}>
        {t`Save your firm`}
      </Button>
    </FormElement>
  );
}

/** Edits the user's firm from the registration. It is loaded from the server each time. */
export function FirmEditor({ userId, Fields }: FirmEditorProps) {
  const isOnline = useOnline();
  const [firm, setFirm] = useState<FirmValues>();
  const [error, setError] = useState<unknown>();
  const isMissing = firm === undefined && error === undefined;

  useEffect(() => {
    if (!isOnline || !isMissing) return;
    const controller = new AbortController();
    fetchFirm(userId, controller.signal).then(setFirm, (failure) => {
      if (!controller.signal.aborted) setError(failure);
    });
    return () => controller.abort();
  }, [userId, isOnline, isMissing]);

  return (
    <Panel stack aria-label={t`Your firm`}>
      <h2>{t`Your firm`}</h2>
      {firm && <FirmForm userId={userId} Fields={Fields} firm={firm} onSaved={setFirm} />}
      {isMissing && isOnline && <Spinner label={t`Loading your firm`} isScreen />}
      {!firm && (error !== undefined || !isOnline) && (
        <ListError
          text={failureText(error, t`Failed to load your firm`)}
          offlineText={t`Your firm can be changed when there is a connection.`}
          age={null}
          onRetry={() => setError(undefined)}
        />
      )}
    </Panel>
  );
}
