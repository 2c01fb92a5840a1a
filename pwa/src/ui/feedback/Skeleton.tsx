import css from './Skeleton.module.css';

/** Grey bars with the usual length of the text, shown while data loads, so that the layout does not shift. */
export function Skeleton({ children }: { children: string }) {
  return (
    <span className={css.skeleton} aria-hidden="true">
      {children}
    </span>
  );
}

/** The first of the `rows` of a list, shown while the list loads. `label` is for screen readers. */
export function RowsSkeleton({ label, title, facts }: { label: string; title: string; facts: string }) {
  return (
    <ul className="rows" aria-busy="true">
      <li>
        <span className="sr">{label}</span>
        <p>
          <Skeleton>{title}</Skeleton>
        </p>
        <p className="xs">
          <Skeleton>{facts}</Skeleton>
        </p>
      </li>
    </ul>
  );
}
