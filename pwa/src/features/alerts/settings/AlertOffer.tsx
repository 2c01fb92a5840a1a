import { t } from '@lingui/core/macro';
import { useEffect } from 'react';
import { currentTime } from '../../../data/clock.ts';
import { useHasConnection } from '../../../data/server/reachability.ts';
import { Button } from '../../../ui/Button.tsx';
import { OfferLine } from '../../../ui/feedback/OfferLine.tsx';
import { showToast } from '../../../ui/feedback/toast.ts';
import { useAlerts } from '../alert-state.ts';
import { dismissAlertOffer, readAlertRefusal, shouldOfferAlerts, useAlertRefusal } from './alert-offer.ts';
import { useAlertSwitch } from './useAlertSwitch.ts';

/**
 * Whether the offer is due. Other offers wait while it is. It is not due offline, because alerts cannot be
 * turned on without a connection.
 */
export function useIsAlertOfferDue(hasReason: boolean): boolean {
  const state = useAlerts((alerts) => alerts.state);
  const refused = useAlertRefusal(({ day }) => day);
  const hasConnection = useHasConnection();
  useEffect(() => {
    if (hasReason) void readAlertRefusal();
  }, [hasReason]);
  return hasConnection && shouldOfferAlerts(state, refused, hasReason, currentTime());
}

/** Lists the alerts before the browser asks for permission. The browser asks after the tap on "Turn on". */
export function AlertOffer() {
  const { isBusy, problem, turnOn } = useAlertSwitch();

  async function acceptOffer() {
    if (!(await turnOn())) return;
    const isDenied = useAlerts.getState().state === 'denied';
    // Dismissing the browser's question counts as "Not now".
    if (useAlerts.getState().state !== 'on') await dismissAlertOffer();
    if (isDenied) showToast({ text: t`This browser blocks notifications. See Settings to allow them.` });
    if (useAlerts.getState().state === 'on') showToast({ text: t`Alerts are on.` });
  }

  return (
    <OfferLine
      name="alerts"
      icon="bell"
      problem={problem}
      onRefuse={refuse}
      action={
        <Button look="main" busy={isBusy} aria-label={t`Turn on alerts`} onClick={() => void acceptOffer()}>
          {t`Turn on`}
        </Button>
      }
    >
      {t`Get reminders before closing`}
    </OfferLine>
  );
}

const refuse = () => void dismissAlertOffer();
