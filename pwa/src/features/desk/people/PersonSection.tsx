import { type ReactNode, useId } from 'react';

/** A part of the panel with its heading: a list, or what it says when it is empty. */
export function PersonSection({ title, empty, children }: { title: string; empty: string; children: ReactNode[] }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      {children.length === 0 ? <p className="s muted">{empty}</p> : <ul className="rows">{children}</ul>}
    </section>
  );
}
