/** The lines of a file after it was read again. */
import type { DocumentFact } from '@nivida/contract/documents/document-facts';
import type { DocumentReading } from '../../reading/document-reading.ts';

/** A stored line; `value` is the reader's. */
export interface HeldFact extends DocumentFact {
  id: string;
  state: 'found' | 'confirmed' | 'corrected' | 'hidden';
}

export interface FactChanges {
  /** Ids. */
  removed: string[];
  added: DocumentFact[];
  revalued: { id: string; value: DocumentFact['value'] }[];
}

const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
const keyOf = ({ topic, page, quote }: DocumentFact): string => JSON.stringify([topic, page, plain(quote)]);

/** Lines that an operator has decided on stay while they stand on their page; a confirmed one keeps its value. */
export function mergeFacts(held: readonly HeldFact[], { facts, texts }: DocumentReading): FactChanges {
  const found = new Map(facts.map((fact) => [keyOf(fact), fact]));
  const changes: FactChanges = { removed: [], added: [], revalued: [] };
  for (const fact of held) {
    const again = found.get(keyOf(fact));
    found.delete(keyOf(fact));
    if (again) {
      const { id, state } = fact;
      if (state !== 'confirmed' && JSON.stringify(again.value) !== JSON.stringify(fact.value))
        changes.revalued.push({ id, value: again.value });
    } else if (fact.state === 'found' || !plain(texts[fact.page - 1] ?? '').includes(plain(fact.quote)))
      changes.removed.push(fact.id);
  }
  changes.added = [...found.values()];
  return changes;
}
