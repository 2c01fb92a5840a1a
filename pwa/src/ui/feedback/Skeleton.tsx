import css from './Skeleton.module.css';

/** Words of the usual length drawn as a grey bar while the real ones load, so that nothing moves when they come. */
export function Skeleton({ children }: { children: string }) {
  return (
    <span className={css.skeleton} aria-hidden="true">
      {children}
    </span>
  );
}
