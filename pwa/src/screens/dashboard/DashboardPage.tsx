import type { ReactNode } from 'react';
import { PageMeta } from '../../ui/PageMeta.tsx';
import css from './DashboardPage.module.css';

interface DashboardPageProps {
  /** The heading and the document's title. */
  title: string;
  description: string;
  children: ReactNode;
}

/** A page of the dashboard with its heading. It is not wider than a readable line of text. */
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
