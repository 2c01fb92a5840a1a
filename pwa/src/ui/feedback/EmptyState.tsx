import type { ReactNode } from 'react';
import { Panel } from '../display/Panel.tsx';
import css from './EmptyState.module.css';

interface EmptyStateProps {
  title: string;
  /** `h1` when the screen has no other heading. */
  heading?: 'h1' | 'h2';
  /** The reason, and what may help. */
  children: ReactNode;
  /** Buttons. The first one is the main button. */
  actions?: ReactNode;
  /** True for errors: screen readers announce it at once. */
  alert?: boolean;
}

/** Shown in place of a list or a screen without content: nothing was found, or there was an error. */
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
