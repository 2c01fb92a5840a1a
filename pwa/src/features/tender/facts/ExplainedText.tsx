import type { ReactNode } from 'react';
import { useId } from 'react';
import { langOf } from '../../../ui/words/lang-of.ts';
import css from '../../../ui/words/Term.module.css';
import { explainedPieces } from './terms.ts';

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
      <span lang={langOf(children)}>{explained}</span>
      {meanings}
    </>
  );
}
