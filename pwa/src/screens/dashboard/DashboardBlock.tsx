import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import { useId } from 'react';
import { Link } from 'react-router-dom';
import { Button } from '../../ui/Button.tsx';
import { Panel } from '../../ui/display/Panel.tsx';
import css from './DashboardHome.module.css';

interface DashboardBlockProps {
  title: string;
  /** The link to the whole list. */
  all?: { to: string; label: ReactNode } | undefined;
  children: ReactNode;
}

/** A section of the dashboard with its heading. */
export function DashboardBlock({ title, all, children }: DashboardBlockProps) {
  const heading = useId();
  return (
    <section aria-labelledby={heading}>
      <div className="head">
        <h2 id={heading}>{title}</h2>
        {all && (
          <Link className={css.all} to={all.to}>
            {all.label}
          </Link>
        )}
      </div>
      {children}
    </section>
  );
}

/** Says why the block is empty and what the user can do. */
export function EmptyBlock({ children, onRetry }: { children: ReactNode; onRetry?: (() => void) | undefined }) {
  return (
    <Panel role={onRetry ? 'alert' : undefined}>
      <div className="stack">
        <p className="s muted">{children}</p>
        {onRetry && (
          <div className="row">
            <Button onClick={onRetry}>{t`Try Again`}</Button>
          </div>
        )}
      </div>
    </Panel>
  );
}
