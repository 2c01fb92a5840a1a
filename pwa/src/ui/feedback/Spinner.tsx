import css from './Spinner.module.css';

interface SpinnerProps {
  /** For screen readers. */
  label: string;
  /** In place of a screen's content: what stands below it is out of view until the content is there, and so never moves. */
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
