import css from './Spinner.module.css';

/** A turning ring with words for screen readers, where the length of what comes is unknown. */
export function Spinner({ label }: { label: string }) {
  return (
    <div role="status">
      <span className="sr">{label}</span>
      <div className={css.spinner} />
    </div>
  );
}
