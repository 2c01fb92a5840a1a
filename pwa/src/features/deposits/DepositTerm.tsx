import { loadWord } from '../../data/words/load-word.ts';
import { Term } from '../../ui/words/Term.tsx';
import type { DepositKind } from './deposit.ts';

const WORDS = {
  emd: 'emd',
  tender_fee: 'tender-fee',
  performance: 'performance',
  additional: null,
  retention: null,
} as const;

/** The name of a deposit, explained when tapped. */
export function DepositTerm({ kind, label }: { kind: DepositKind; label: string }) {
  const word = WORDS[kind];
  return word === null ? label : <Term form={label} load={() => loadWord(word)} />;
}
