import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { i18n } from '@nivida/contract/i18n';
import type { AlertPreferencesChange } from '@nivida/contract/push/push';
import { useSession } from '../../../data/session.ts';
import { useMutation } from '../../../data/useMutation.ts';
import { Button } from '../../../ui/Button.tsx';
import { useOnline } from '../../../ui/browser-state.ts';
import { Note } from '../../../ui/feedback/Note.tsx';
import { type AlertState, useAlerts } from '../alert-state.ts';
import { EmailAlertSettings } from './EmailAlertSettings.tsx';
import { MutedList } from './MutedList.tsx';
import { PreferenceForm } from './PreferenceForm.tsx';
import { useAlertSwitch } from './useAlertSwitch.ts';

/** What each state means, and what the user can do. */
const STATE_TEXTS: Readonly<Record<AlertState, MessageDescriptor>> = {
  unknown: msg`Checking alerts…`,
  unsupported: msg`This browser cannot show alerts: they need Chrome, Edge, Firefox or Safari outside a private window.`,
  install: msg`On iPhone and iPad, alerts work only in the installed app. Tap Share in Safari, then “Add to Home Screen”. Open Nivida from there and turn alerts on.`,
  denied: msg`This browser does not allow notifications from Nivida. To allow them, tap the sign left of the address, then Permissions or Site settings, then Notifications: Allow. Then come back here.`,
  off: msg`Off. Nothing is sent to this phone.`,
  on: msg`On. You get alerts about your saved tenders on this phone.`,
};

interface AlertSettingsProps {
  /** Names of the saved searches by their ids. */
  searchNames: ReadonlyMap<string, string>;
}

/** Alerts of this device and their preferences. Offers alerts by e-mail where push is not possible. */
export function AlertSettings({ searchNames }: AlertSettingsProps) {
  const { state, preferences } = useAlerts();
  const isSignedIn = useSession() !== null;
  const isOnline = useOnline();
  const alertSwitch = useAlertSwitch();
  const saving = useMutation(t`The change was not saved`);
  const change = (preferenceChange: AlertPreferencesChange) =>
    void saving.run(() =>
      import('../push-device.ts').then(({ changePreferences }) => changePreferences(preferenceChange)),
    );
  const problem = alertSwitch.problem ?? saving.problem;
  const isUnavailable = state === 'denied' || state === 'unsupported' || state === 'install';
  return (
    <>
      <p className="s" role="status">
        {i18n._(STATE_TEXTS[state])}
      </p>
      {state === 'off' && (
        <>
          <p className="s muted">
            <Trans>
              You get an alert before a saved tender closes, at 6 PM the evening before and again 3 hours before, and
              when it changes. No sound between 9 PM and 7 AM.
            </Trans>
          </p>
          <div className="row">
            <Button
              look="main"
              busy={alertSwitch.isBusy}
              disabled={!isOnline}
              onClick={() => void alertSwitch.turnOn()}
            >
              {t`Turn on alerts`}
            </Button>
          </div>
        </>
      )}
      {problem && (
        <Note tone="red" icon="warning" alert>
          {problem}
        </Note>
      )}
      {!isOnline && state === 'on' && <p className="s muted">{t`Changes need a connection.`}</p>}
      {preferences && (
        <>
          <PreferenceForm
            preferences={preferences}
            isSignedIn={isSignedIn}
            disabled={!isOnline || saving.isBusy}
            onChange={change}
          />
          <MutedList
            preferences={preferences}
            searchNames={searchNames}
            disabled={!isOnline || saving.isBusy}
            onChange={change}
          />
          <div className="row">
            <Button busy={alertSwitch.isBusy} onClick={() => void alertSwitch.turnOff()}>
              {t`Turn off alerts`}
            </Button>
          </div>
          <p className="xs muted">{t`If you turn alerts off or sign out, our server forgets the address of this phone.`}</p>
        </>
      )}
      {isSignedIn && <EmailAlertSettings isOffered={isUnavailable} />}
      {!isSignedIn && isUnavailable && (
        <p className="s muted">
          <Trans>With an account you can get alerts by e-mail instead. Sign in, then open this page again.</Trans>
        </p>
      )}
    </>
  );
}
