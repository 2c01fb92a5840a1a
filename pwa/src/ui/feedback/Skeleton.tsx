import css from './Skeleton.module.css';

/** Grey bars of the usual text length while data loads, so that the layout does not shift. */
export function Skeleton({ children }: { children: string }) {
  return (
    <span className={css.skeleton} aria-hidden="true">
      {children}
    </span>
  );
}
