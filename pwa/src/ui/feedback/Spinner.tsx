import css from './Spinner.module.css';

/** A spinner with a text for screen readers, for content of unknown length. */
export function Spinner({ label }: { label: string }) {
  return (
    <div role="status">
      <span className="sr">{label}</span>
      <div className={css.spinner} />
    </div>
  );
}
