import { useEffect } from 'react';
import { currentTime } from '../../../data/clock.ts';
import { useHasConnection } from '../../../data/server/reachability.ts';
import { Button } from '../../../ui/Button.tsx';
import { OfferLine } from '../../../ui/feedback/OfferLine.tsx';
import { showToast } from '../../../ui/feedback/toast.ts';
import { useAlerts } from '../alert-state.ts';
import { dismissAlertOffer, readAlertRefusal, shouldOfferAlerts, useAlertRefusal } from './alert-offer.ts';
import { useAlertSwitch } from './useAlertSwitch.ts';

/** Whether to show the offer now; other offers wait for it. Alerts cannot be turned on without a connection. */
export function useIsAlertOfferDue(hasReason: boolean): boolean {
  const state = useAlerts((alerts) => alerts.state);
  const refused = useAlertRefusal(({ day }) => day);
  const hasConnection = useHasConnection();
  useEffect(() => {
    if (hasReason) void readAlertRefusal();
  }, [hasReason]);
  return hasConnection && shouldOfferAlerts(state, refused, hasReason, currentTime());
}

/** Names the alerts before the browser asks for permission, which it does after the tap on "Turn on". */
export function AlertOffer() {
  const { isBusy, problem, turnOn } = useAlertSwitch();

  async function acceptOffer() {
    if (!(await turnOn())) return;
    const isDenied = useAlerts.getState().state === 'denied';
    // a dismissed question of the browser counts as "Not now"
    if (useAlerts.getState().state !== 'on') await dismissAlertOffer();
    if (isDenied) showToast({ text: 'This browser blocks notifications. See Settings to allow them.' });
    if (useAlerts.getState().state === 'on') showToast({ text: 'Alerts are on.' });
  }

  return (
    <OfferLine
      name="alerts"
      icon="bell"
      problem={problem}
      onRefuse={refuse}
      action={
        <Button look="main" busy={isBusy} aria-label="Turn on alerts" onClick={() => void acceptOffer()}>
          Turn on
        </Button>
      }
    >
      Get reminders before closing
    </OfferLine>
  );
}

const refuse = () => void dismissAlertOffer();
