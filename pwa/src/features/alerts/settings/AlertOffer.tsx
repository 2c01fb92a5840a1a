import { useEffect, useId } from 'react';
import { currentTime } from '../../../data/clock.ts';
import { Button } from '../../../ui/Button.tsx';
import { Icon } from '../../../ui/display/Icon.tsx';
import { Note } from '../../../ui/feedback/Note.tsx';
import { showToast, useToast } from '../../../ui/feedback/toast.ts';
import { useAlerts } from '../alert-state.ts';
import css from './AlertOffer.module.css';
import { dismissAlertOffer, readAlertRefusal, shouldOfferAlerts, useAlertRefusal } from './alert-offer.ts';
import { useAlertSwitch } from './useAlertSwitch.ts';

/** Whether to show the offer now; other offers wait for it. */
export function useIsAlertOfferDue(hasReason: boolean): boolean {
  const state = useAlerts((alerts) => alerts.state);
  const refused = useAlertRefusal(({ day }) => day);
  useEffect(() => {
    if (hasReason) void readAlertRefusal();
  }, [hasReason]);
  return shouldOfferAlerts(state, refused, hasReason, currentTime());
}

/**
 * Explains the alerts before the browser asks for permission, which it does after the tap on "Turn on alerts". Fixed at the
 * foot, so that nothing moves. A toast has precedence.
 */
export function AlertOffer({ hasReason }: { hasReason: boolean }) {
  const isDue = useIsAlertOfferDue(hasReason);
  const hasMessage = useToast(({ current }) => current !== undefined);
  const title = useId();
  const { isBusy, problem, turnOn } = useAlertSwitch();

  if (hasMessage || !isDue) return null;

  async function acceptOffer() {
    if (!(await turnOn())) return;
    const isDenied = useAlerts.getState().state === 'denied';
    // a dismissed question of the browser counts as "Not now"
    if (useAlerts.getState().state !== 'on') await dismissAlertOffer();
    if (isDenied) showToast({ text: 'This browser does not allow notifications. Settings say what can be done.' });
    if (useAlerts.getState().state === 'on') showToast({ text: 'Alerts are on.' });
  }

  return (
    <aside className={css.offer} aria-labelledby={title}>
      <h2 id={title}>
        <Icon name="bell" /> Be told before it closes
      </h2>
      <ul className="s muted">
        <li>The evening before at 6 PM, and 3 hours before closing</li>
        <li>When a saved tender changes its date or is cancelled</li>
        <li>New tenders of your saved searches, at 6:30 PM (plan or trial)</li>
      </ul>
      <p className="xs muted">No sound between 9 PM and 7 AM. All of it can be changed or turned off at any time.</p>
      {problem && (
        <Note tone="red" icon="warning" alert>
          {problem}
        </Note>
      )}
      <div className="row">
        <Button look="main" busy={isBusy} onClick={() => void acceptOffer()}>
          Turn on alerts
        </Button>
        <Button look="plain" onClick={() => void dismissAlertOffer()}>
          Not now
        </Button>
      </div>
    </aside>
  );
}
