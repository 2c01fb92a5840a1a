import type { PreferenceChange } from '@nivida/contract/push';
import { usePress } from '../../data/press.ts';
import { useSession } from '../../data/session.ts';
import { Button } from '../../ui/Button.tsx';
import { Note } from '../../ui/Note.tsx';
import { useOnline } from '../../ui/useOnline.ts';
import { EmailSettings } from './EmailSettings.tsx';
import { MutedList } from './MutedList.tsx';
import { PreferenceForm } from './PreferenceForm.tsx';
import { type AlertState, useAlerts } from './state.ts';
import { useTurning } from './useTurning.ts';

/** What each state means and what to do about it. */
const STATES: Readonly<Record<AlertState, string>> = {
  unknown: 'Looking up whether alerts are on here.',
  unsupported: 'This browser cannot show alerts: they need Chrome, Edge, Firefox or Safari outside a private window.',
  install:
    'On an iPhone or iPad alerts come to the installed app only. Tap Share in Safari, then “Add to Home Screen”, open Nivida from there and turn them on.',
  denied:
    'This browser does not allow notifications from Nivida. To change it, tap the sign left of the address, then Permissions or Site settings, then Notifications: Allow. Come back here afterwards.',
  off: 'Off. Nothing is sent to this phone.',
  on: 'On. This phone is told of the tenders you keep.',
};

interface AlertSettingsProps {
  /** Names of the saved searches by their ids. */
  searchNames: ReadonlyMap<string, string>;
}

/** Alerts of this device: on or off, what they tell and when; by e-mail instead where they cannot come. */
export function AlertSettings({ searchNames }: AlertSettingsProps) {
  const { state, preferences } = useAlerts();
  const isSignedIn = useSession() !== null;
  const isOnline = useOnline();
  const turning = useTurning();
  const saving = usePress('The change was not saved');
  const change = (wanted: PreferenceChange) =>
    void saving.run(() => import('./device.ts').then(({ changePreferences }) => changePreferences(wanted)));
  const problem = turning.problem ?? saving.problem;
  const isImpossible = state === 'denied' || state === 'unsupported' || state === 'install';
  return (
    <>
      <p className="s" role="status">
        {STATES[state]}
      </p>
      {state === 'off' && (
        <>
          <p className="s muted">
            You are told the evening before at 6 PM and 3 hours before a tender you keep closes, and when it changes. No
            sound between 9 PM and 7 AM.
          </p>
          <div className="row">
            <Button look="main" busy={turning.isBusy} disabled={!isOnline} onClick={() => void turning.turnOn()}>
              Turn on alerts
            </Button>
          </div>
        </>
      )}
      {problem && (
        <Note tone="red" icon="warning" alert>
          {problem}
        </Note>
      )}
      {!isOnline && state === 'on' && <p className="s muted">Changes need a connection.</p>}
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
            <Button busy={turning.isBusy} onClick={() => void turning.turnOff()}>
              Turn off alerts
            </Button>
          </div>
          <p className="xs muted">
            Turning them off deletes the address of this phone at our server. Signing out does the same, on this phone
            only.
          </p>
        </>
      )}
      {isSignedIn && <EmailSettings isOffered={isImpossible} />}
      {!isSignedIn && isImpossible && (
        <p className="s muted">With an account alerts can come by e-mail instead: sign in, then look here again.</p>
      )}
    </>
  );
}
