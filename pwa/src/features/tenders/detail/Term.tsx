import { Fragment, useId } from 'react';
import css from './Term.module.css';
import { explainedPieces, termMeaning } from './terms.ts';

interface TermProps {
  /** The short form as it stands in the text. */
  children: string;
  /** Without it the meaning is that of the table of short forms. */
  meaning?: string;
}

/** A short form whose meaning appears at a tap. The browser opens it, also before the app's code is there. */
export function Term({ children, meaning = termMeaning(children) }: TermProps) {
  const id = useId();
  return (
    <>
      <button type="button" className={css.term} popoverTarget={id}>
        {children}
      </button>
      <span id={id} popover="auto" className={css.meaning}>
        <b>{children}</b> {meaning}
      </span>
    </>
  );
}

/** A text of a portal whose short forms are explained at a tap. */
export function ExplainedText({ children }: { children: string }) {
  return explainedPieces(children).map(({ at, text, meaning }) => (
    <Fragment key={at}>{meaning === undefined ? text : <Term meaning={meaning}>{text}</Term>}</Fragment>
  ));
}
