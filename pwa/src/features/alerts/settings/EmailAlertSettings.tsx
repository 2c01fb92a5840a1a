import { t } from '@lingui/core/macro';
import type { AlertPreferencesChange, EmailAlertsResponse } from '@nivida/contract/push/push';
import { useEffect, useState } from 'react';
import { errorMessage } from '../../../data/server/api.ts';
import { useMutation } from '../../../data/useMutation.ts';
import { Button } from '../../../ui/Button.tsx';
import { useOnline } from '../../../ui/browser-state.ts';
import { Note } from '../../../ui/feedback/Note.tsx';
import { emailAlertsApi } from '../alerts-api.ts';
import { PreferenceForm } from './PreferenceForm.tsx';

interface EmailAlertSettingsProps {
  /**
   * True where push is not possible on this device. When false, the settings show only while the e-mails are
   * on.
   */
  isOffered: boolean;
}

/** Alerts of the account by e-mail. */
export function EmailAlertSettings({ isOffered }: EmailAlertSettingsProps) {
  const [alerts, setAlerts] = useState<EmailAlertsResponse>();
  const [failure, setFailure] = useState<string>();
  const isOnline = useOnline();
  const { isBusy, problem, run } = useMutation(t`The change was not saved`);

  useEffect(() => {
    if (!isOnline) return;
    emailAlertsApi.get().then(
      (answer) => {
        setAlerts(answer);
        setFailure(undefined);
      },
      (error: unknown) => setFailure(errorMessage(error, t`Failed to read the alerts by e-mail`)),
    );
  }, [isOnline]);

  const save = (change: AlertPreferencesChange) => void run(async () => setAlerts(await emailAlertsApi.put(change)));
  const visibleProblem = problem ?? (alerts ? undefined : failure);
  if (!isOffered && !alerts?.preferences) return null;
  const heading = isOffered ? t`By e-mail instead` : t`By e-mail`;
  return (
    <section className="stack" aria-label={heading}>
      <h3>{heading}</h3>
      {!isOnline && <p className="s muted">{t`This needs a connection.`}</p>}
      {visibleProblem && (
        <Note tone="red" icon="warning" alert>
          {visibleProblem}
        </Note>
      )}
      {alerts?.preferences === null && (
        <>
          <p className="s muted">{t`The same alerts to the e-mail address of your account.`}</p>
          <div className="row">
            <Button look="main" busy={isBusy} disabled={!isOnline} onClick={() => save({})}>
              {t`Send them by e-mail`}
            </Button>
          </div>
        </>
      )}
      {alerts?.preferences && (
        <>
          <p className="s">{t`On. Alerts go to the e-mail address of your account.`}</p>
          <PreferenceForm preferences={alerts.preferences} isSignedIn disabled={!isOnline || isBusy} onChange={save} />
          <div className="row">
            <Button
              busy={isBusy}
              disabled={!isOnline}
              onClick={() => void run(async () => setAlerts(await emailAlertsApi.delete()))}
            >
              {t`Stop the e-mails`}
            </Button>
          </div>
        </>
      )}
    </section>
  );
}
