import { useEffect, useId } from 'react';
import { useLocation } from 'react-router-dom';
import { currentTime } from '../../../data/clock.ts';
import { Button } from '../../../ui/Button.tsx';
import { Icon } from '../../../ui/display/Icon.tsx';
import { showToast, useToast } from '../../../ui/feedback/toast.ts';
import { useOnline } from '../../../ui/useOnline.ts';
import { useAlerts } from '../alert-state.ts';
import css from './AlertOffer.module.css';
import { dismissAlertOffer, offerSeen, readAlertRefusal, shouldOfferAlerts, useAlertRefusal } from './alert-offer.ts';
import { useAlertSwitch } from './useAlertSwitch.ts';

/** Whether to show the offer now; other offers wait for it. Alerts cannot be turned on offline. */
export function useIsAlertOfferDue(hasReason: boolean): boolean {
  const state = useAlerts((alerts) => alerts.state);
  const refused = useAlertRefusal(({ day }) => day);
  const isOnline = useOnline();
  useEffect(() => {
    if (hasReason) void readAlertRefusal();
  }, [hasReason]);
  return isOnline && shouldOfferAlerts(state, refused, hasReason, currentTime());
}

/**
 * One line that names the alerts before the browser asks for permission, which it does after the tap on "Turn on". Fixed at
 * the foot, so that nothing moves. A toast has precedence. The next navigation removes it.
 */
export function AlertOffer({ hasReason }: { hasReason: boolean }) {
  const isDue = useIsAlertOfferDue(hasReason);
  const hasMessage = useToast(({ current }) => current !== undefined);
  const title = useId();
  const { isBusy, problem, turnOn } = useAlertSwitch();
  const { pathname, search } = useLocation();
  const isVisible = isDue && !hasMessage;
  useEffect(() => {
    if (isVisible) offerSeen(pathname + search);
  }, [isVisible, pathname, search]);

  if (!isVisible) return null;

  async function acceptOffer() {
    if (!(await turnOn())) return;
    const isDenied = useAlerts.getState().state === 'denied';
    // a dismissed question of the browser counts as "Not now"
    if (useAlerts.getState().state !== 'on') await dismissAlertOffer();
    if (isDenied) showToast({ text: 'This browser blocks notifications. See Settings to allow them.' });
    if (useAlerts.getState().state === 'on') showToast({ text: 'Alerts are on.' });
  }

  return (
    <aside className={css.offer} aria-labelledby={title}>
      <Icon name="bell" />
      <p id={title} role={problem ? 'alert' : undefined}>
        {problem ?? 'Get reminders before closing'}
      </p>
      <Button look="main" busy={isBusy} aria-label="Turn on alerts" onClick={() => void acceptOffer()}>
        Turn on
      </Button>
      <Button look="icon" aria-label="Not now" onClick={() => void dismissAlertOffer()}>
        <Icon name="close" small />
      </Button>
    </aside>
  );
}
