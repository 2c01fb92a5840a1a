import type { ReactNode } from 'react';
import { PageMeta } from '../../ui/PageMeta.tsx';
import css from './DashboardPage.module.css';

interface DashboardPageProps {
  /** The heading, and the title of the document. */
  title: string;
  description: string;
  children: ReactNode;
}

/** A page of the dashboard with its heading, no wider than a line of text may be. */
export function DashboardPage({ title, description, children }: DashboardPageProps) {
  return (
    <div className="page">
      <PageMeta title={title} description={description} />
      <div className={`${css.column} stack`}>
        <h1>{title}</h1>
        {children}
      </div>
    </div>
  );
}
