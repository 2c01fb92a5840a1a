import css from './Skeleton.module.css';

/** Grey bars with the usual length of the text, shown while data loads, so that the layout does not shift. */
export function Skeleton({ children }: { children: string }) {
  return (
    <span className={css.skeleton} aria-hidden="true">
      {children}
    </span>
  );
}
