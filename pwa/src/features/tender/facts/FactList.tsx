import type { ReactNode } from 'react';
import css from './FactList.module.css';

/** A list of facts in two columns. With `four`, one row of four facts on wide screens. */
export function FactList({ four, children }: { four?: boolean; children: ReactNode }) {
  return (
    <dl className={css.facts} data-four={four || undefined}>
      {children}
    </dl>
  );
}

interface FactProps {
  name: ReactNode;
  /** `big`: a main amount. `full`: a full row. `text`: a full row of plain text. */
  look?: 'big' | 'full' | 'text';
  children: ReactNode;
}

/** One fact of a list. */
export function Fact({ name, look, children }: FactProps) {
  return (
    <div data-look={look}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
