import { t } from '@lingui/core/macro';
import { type ReactNode, useEffect, useId } from 'react';
import { useLocation } from 'react-router-dom';
import { Button } from '../Button.tsx';
import { Icon, type IconName } from '../display/Icon.tsx';
import css from './OfferLine.module.css';
import { useToast } from './toast.ts';

/** By the offer's name: the address at which the offer was first visible in this visit. */
const firstAddresses = new Map<string, string>();

/**
 * Records that an offer is visible at an address. Returns true when it was visible at another address before:
 * the user has navigated on.
 */
export function isOfferPassed(name: string, address: string): boolean {
  const first = firstAddresses.get(name) ?? address;
  firstAddresses.set(name, first);
  return first !== address;
}

interface OfferLineProps {
  /** Identifies the offer. */
  name: string;
  icon: IconName;
  children: ReactNode;
  /** The problem replaces the text and is announced. */
  problem?: string | undefined;
  /** The button that accepts. */
  action?: ReactNode;
  /** Called when the user taps "Not now" or navigates to another address. */
  onRefuse: () => void;
}

/**
 * An offer of the app: one line over the bottom of the page and its action bar, so that nothing moves. A
 * toast has precedence. The next navigation refuses the offer.
 */
export function OfferLine({ name, icon, children, problem, action, onRefuse }: OfferLineProps) {
  const hasMessage = useToast(({ current }) => current !== undefined);
  const text = useId();
  const { pathname, search } = useLocation();
  useEffect(() => {
    if (!hasMessage && isOfferPassed(name, pathname + search)) onRefuse();
  }, [hasMessage, name, pathname, search, onRefuse]);

  if (hasMessage) return null;
  return (
    <aside className={css.offer} aria-labelledby={text}>
      <Icon name={icon} />
      <p id={text} role={problem ? 'alert' : undefined}>
        {problem ?? children}
      </p>
      {action}
      <Button look="icon" aria-label={t`Not now`} onClick={onRefuse}>
        <Icon name="close" small />
      </Button>
    </aside>
  );
}
