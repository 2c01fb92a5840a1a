import css from './Spinner.module.css';

interface SpinnerProps {
  /** The text for screen readers. */
  label: string;
  /**
   * The spinner replaces a screen's content. It is so high that the parts below are out of view and do not
   * visibly move when the content arrives.
   */
  isScreen?: boolean;
}

/** A spinner for content of unknown length. */
export function Spinner({ label, isScreen }: SpinnerProps) {
  return (
    <div role="status" className={isScreen ? css.screen : undefined}>
      <span className="sr">{label}</span>
      <div className={css.spinner} />
    </div>
  );
}
