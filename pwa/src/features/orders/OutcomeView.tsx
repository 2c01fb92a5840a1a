import type { ReactNode } from 'react';
import { Icon } from '../../ui/Icon.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import type { OrderView } from './follow.ts';
import css from './OutcomeView.module.css';
import { type Outcome, productName } from './outcome.ts';

interface OutcomeViewProps {
  outcome: Outcome;
  view: OrderView;
  /** The title; none where the dialog around it has one. */
  heading?: ReactNode;
  /** What can be done now. */
  children: ReactNode;
}

/** How a payment stands: the colour of the outcome, its words, what was bought, and the ways on. */
export function OutcomeView({ outcome, view, heading, children }: OutcomeViewProps) {
  const product = 'check' in view ? view.check?.order.product : '';
  return (
    <div className={css.outcome} data-tone={outcome.tone}>
      <div className={css.sign}>{outcome.icon ? <Icon name={outcome.icon} /> : <Spinner label={outcome.title} />}</div>
      {/* one live region through all states, so that a change is spoken */}
      <div role="status" className={css.words}>
        {heading}
        {product && <p className={css.product}>{productName(product)}</p>}
        <p>{outcome.text}</p>
        {outcome.more && <p className="s muted">{outcome.more}</p>}
      </div>
      <div className={css.ways}>{children}</div>
    </div>
  );
}
