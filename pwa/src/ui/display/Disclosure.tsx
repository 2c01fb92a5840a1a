import type { ReactNode } from 'react';
import css from './Disclosure.module.css';

interface DisclosureProps {
  title: string;
  className?: string | undefined;
  children: ReactNode;
}

/** A line in the accent colour. It opens the content below it. */
export function Disclosure({ title, className, children }: DisclosureProps) {
  return (
    <details className={[css.disclosure, className].filter(Boolean).join(' ')}>
      <summary>{title}</summary>
      {children}
    </details>
  );
}
