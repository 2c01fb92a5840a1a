import type { ComponentProps } from 'react';
import { Link } from 'react-router-dom';
import css from './Button.module.css';

/**
 * - `main`: the one main action of a screen
 * - `plain`: no border
 * - `link`: like a link in a text
 * - `icon`: a square; it needs an `aria-label`
 * - `stacked`: an icon above its word, one of several in a row
 */
export type ButtonVariant = 'main' | 'plain' | 'link' | 'icon' | 'stacked';

interface ButtonProps extends ComponentProps<'button'> {
  look?: ButtonVariant;
  /** A call is running. A spinner replaces the text, the width stays, and clicks do nothing. */
  busy?: boolean;
}

const focus = (button: HTMLButtonElement | null) => button?.focus();

/**
 * A button. It submits a form only with `type="submit"`. With `autoFocus` it takes the focus when it appears.
 */
export function Button({ look, busy, type = 'button', autoFocus, children, onClick, ...rest }: ButtonProps) {
  const inert = busy || rest['aria-disabled'] === true || rest['aria-disabled'] === 'true';
  return (
    <button
      {...rest}
      {...(autoFocus && { ref: focus })}
      type={type}
      className={css.button}
      data-look={look}
      aria-busy={busy || undefined}
      onClick={inert ? (event) => event.preventDefault() : onClick}
    >
      <span className={css.words}>{children}</span>
      {busy && <span className={css.spinner} />}
    </button>
  );
}

/** A link within the app that looks like a button. */
export function ButtonLink({ look, children, ...rest }: ComponentProps<typeof Link> & { look?: ButtonVariant }) {
  return (
    <Link {...rest} className={css.button} data-look={look}>
      <span className={css.words}>{children}</span>
    </Link>
  );
}
