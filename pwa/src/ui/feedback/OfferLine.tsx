import { type ReactNode, useEffect, useId } from 'react';
import { useLocation } from 'react-router-dom';
import { Button } from '../Button.tsx';
import { Icon, type IconName } from '../display/Icon.tsx';
import css from './OfferLine.module.css';
import { useToast } from './toast.ts';

/** The address on which each offer was first visible in this visit, by the name of the offer. */
const firstAddresses = new Map<string, string>();

/** Records that an offer is visible on an address. True when it was visible on another one before: the user went on. */
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
  /** Replaces the text and is announced. */
  problem?: string | undefined;
  /** The button that accepts. */
  action?: ReactNode;
  /** The user taps "Not now" or goes on to another address. */
  onRefuse: () => void;
}

/**
 * An offer of the app: one line over the foot of the page and its action bar, so that nothing moves. A toast has
 * precedence. The next navigation refuses the offer.
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
      <Button look="icon" aria-label="Not now" onClick={onRefuse}>
        <Icon name="close" small />
      </Button>
    </aside>
  );
}
