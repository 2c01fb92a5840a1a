import type { Tone } from './Badge.tsx';
import css from './Status.module.css';

/** A status as a framed word, for the top of a page. */
export function StatusStamp({ tone, label }: { tone: Tone; label: string }) {
  return (
    <span className={css.stamp} data-tone={tone} data-clock="">
      {label}
    </span>
  );
}

/**
 * A status as a square with its word, for a line of facts. With `quiet`, only screen readers get the word.
 */
export function Status({ tone, label, quiet }: { tone: Tone; label: string; quiet?: boolean }) {
  return (
    <span className={css.status} data-tone={tone} data-clock="">
      <span className={quiet ? 'sr' : undefined}>{label}</span>
    </span>
  );
}
