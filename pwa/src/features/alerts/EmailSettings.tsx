import type { EmailAlerts, PreferenceChange } from '@nivida/contract/push';
import { useEffect, useState } from 'react';
import { messageOf } from '../../data/api.ts';
import { usePress } from '../../data/press.ts';
import { Button } from '../../ui/Button.tsx';
import { Note } from '../../ui/Note.tsx';
import { useOnline } from '../../ui/useOnline.ts';
import { email } from './calls.ts';
import { PreferenceForm } from './PreferenceForm.tsx';

interface EmailSettingsProps {
  /** Alerts cannot come to this device; else only what is on is shown, to be turned off. */
  isOffered: boolean;
}

/** Alerts of the account by e-mail, for whom they cannot come to the device. */
export function EmailSettings({ isOffered }: EmailSettingsProps) {
  const [alerts, setAlerts] = useState<EmailAlerts>();
  const [failure, setFailure] = useState<string>();
  const isOnline = useOnline();
  const { isBusy, problem, run } = usePress('The change was not saved');

  useEffect(() => {
    if (!isOnline) return;
    email.get().then(
      (answer) => {
        setAlerts(answer);
        setFailure(undefined);
      },
      (error: unknown) => setFailure(messageOf(error, 'Failed to read the alerts by e-mail')),
    );
  }, [isOnline]);

  const save = (change: PreferenceChange) => void run(async () => setAlerts(await email.put(change)));
  const shown = problem ?? (alerts ? undefined : failure);
  if (!isOffered && !alerts?.preferences) return null;
  const heading = isOffered ? 'By e-mail instead' : 'By e-mail';
  return (
    <section className="stack" aria-label={heading}>
      <h3>{heading}</h3>
      {!isOnline && <p className="s muted">This needs a connection.</p>}
      {shown && (
        <Note tone="red" icon="warning" alert>
          {shown}
        </Note>
      )}
      {alerts?.preferences === null && (
        <>
          <p className="s muted">The same alerts to the e-mail address of your account.</p>
          <div className="row">
            <Button look="main" busy={isBusy} disabled={!isOnline} onClick={() => save({})}>
              Send them by e-mail
            </Button>
          </div>
        </>
      )}
      {alerts?.preferences && (
        <>
          <p className="s">On. Alerts go to the e-mail address of your account.</p>
          <PreferenceForm preferences={alerts.preferences} isSignedIn disabled={!isOnline || isBusy} onChange={save} />
          <div className="row">
            <Button
              busy={isBusy}
              disabled={!isOnline}
              onClick={() => void run(async () => setAlerts(await email.delete()))}
            >
              Stop the e-mails
            </Button>
          </div>
        </>
      )}
    </section>
  );
}
