import { t } from '@lingui/core/macro';
import { Link } from 'react-router-dom';
import css from './Term.module.css';

/** A word of tendering in the present language. */
export interface ExplainedWord {
  /** Its place on the help page. */
  id: string;
  /** The word or its short form: 'EMD'. */
  title: string;
  /** The long form of a short one. */
  name: string | null;
  /** The name in the other language: Hindi beside English, English beside the others. */
  other: { text: string; lang: string };
  /** What it is. */
  meaning: string;
  /** What the bidder does with it. */
  advice: string;
}

/** The word with its names in both languages, what it is and what to do with it. */
export function WordMeaning({ word: { id, title, name, other, meaning, advice } }: { word: ExplainedWord }) {
  return (
    <>
      <b>{title}</b> {name && `${name} · `}
      <span lang={other.lang}>{other.text}</span>
      <span className={css.line}>{meaning}</span>
      <span className={css.line}>{advice}</span>
      <Link className={css.all} to={{ pathname: '/help', hash: id }}>
        {t`All words of tendering`}
      </Link>
    </>
  );
}
