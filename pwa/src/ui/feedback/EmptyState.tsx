import type { ReactNode } from 'react';
import { Panel } from '../display/Panel.tsx';
import css from './EmptyState.module.css';

interface EmptyStateProps {
  title: string;
  /** `h1` where the screen has no other heading. */
  heading?: 'h1' | 'h2';
  /** The reason, and what may help. */
  children: ReactNode;
  /** Buttons; the first is the main one. */
  actions?: ReactNode;
  /** Announced at once to screen readers: for errors. */
  alert?: boolean;
}

/** A list or a screen without content: nothing found, or an error. */
export function EmptyState({ title, heading: Heading = 'h2', children, actions, alert }: EmptyStateProps) {
  return (
    <Panel role={alert ? 'alert' : undefined}>
      <div className={css.empty}>
        <Heading>{title}</Heading>
        <div className="muted">{children}</div>
        {actions && <div className="row">{actions}</div>}
      </div>
    </Panel>
  );
}
