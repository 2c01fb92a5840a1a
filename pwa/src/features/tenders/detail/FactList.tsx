import type { ReactNode } from 'react';
import css from './FactList.module.css';

/** A list of facts in two columns; `four` makes it one row of four on wide screens. */
export function FactList({ four, children }: { four?: boolean; children: ReactNode }) {
  return (
    <dl className={css.facts} data-four={four || undefined}>
      {children}
    </dl>
  );
}

interface FactProps {
  name: string;
  /** `big` for money that decides; `full` for a row of its own; `text` for a row of plain words. */
  look?: 'big' | 'full' | 'text';
  children: ReactNode;
}

/** One fact: its name over its value. */
export function Fact({ name, look, children }: FactProps) {
  return (
    <div data-look={look}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
