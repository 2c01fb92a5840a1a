import type { TenderWordId } from '@nivida/contract/words/tender-words';
import { loadWord } from '../../../data/words/load-word.ts';
import { Term } from '../../../ui/words/Term.tsx';
import { termMeaning } from './terms.ts';

interface TenderTermProps {
  form: string;
  /** The word in the table of words. */
  word: TenderWordId;
}

/** A word of tendering among the facts of a tender. A short form has its short meaning until the full one is loaded. */
export function TenderTerm({ form, word }: TenderTermProps) {
  return <Term form={form} meaning={termMeaning(form)} load={() => loadWord(word)} />;
}
