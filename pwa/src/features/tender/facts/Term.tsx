import type { ReactNode } from 'react';
import { useId } from 'react';
import css from './Term.module.css';
import { explainedPieces, termMeaning } from './terms.ts';

interface TermProps {
  /** The short form as the text has it. */
  form: string;
  /** The meaning. Without it, the one from the table of short forms. */
  meaning?: string;
}

/**
 * A short form whose meaning appears at a tap. The browser opens it, so it works before the app's code has
 * loaded.
 */
export function Term({ form, meaning = termMeaning(form) }: TermProps) {
  const id = useId();
  return (
    <>
      <button type="button" className={css.term} popoverTarget={id}>
        {form}
      </button>
      <span id={id} popover="auto" className={css.meaning}>
        <b>{form}</b> {meaning}
      </span>
    </>
  );
}

/**
 * A portal's text whose short forms are explained at a tap. The meanings are not part of the text, so they
 * are rendered behind it.
 */
export function useExplainedText(text: string): { explained: ReactNode; meanings: ReactNode } {
  const id = useId();
  const pieces = explainedPieces(text);
  return {
    explained: pieces.map(({ at, text: piece, meaning }) =>
      meaning === undefined ? (
        piece
      ) : (
        <button key={at} type="button" className={css.term} popoverTarget={`${id}${at}`}>
          {piece}
        </button>
      ),
    ),
    meanings: pieces.map(
      ({ at, text: piece, meaning }) =>
        meaning !== undefined && (
          <p key={at} id={`${id}${at}`} popover="auto" className={css.meaning}>
            <b>{piece}</b> {meaning}
          </p>
        ),
    ),
  };
}

/** The text with its meanings behind it. Use it outside of headings. */
export function ExplainedText({ children }: { children: string }) {
  const { explained, meanings } = useExplainedText(children);
  return (
    <>
      {explained}
      {meanings}
    </>
  );
}
