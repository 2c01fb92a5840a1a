/** The lines of documents that concern a row of the checklist. */
import type { FactTopic } from '@nivida/contract/documents/document-facts';
import type { TenderFact } from '@nivida/contract/documents/tender-reading';
import { matchKinds } from '../../data/bid-documents/match-kinds.ts';

/** Lines of these topics stand beside each kind of document that they name. */
const NAMING_TOPICS: readonly FactTopic[] = ['documents', 'originals'];

/** Lines of other topics concern one kind, whether they name it or not. */
const KIND_OF_TOPIC: Partial<Record<FactTopic, string>> = {
  emd: 'emd',
  fee: 'tender_fee',
  class: 'enlistment',
  registration: 'enlistment',
  turnover: 'turnover',
  similarWorks: 'experience',
  jointVenture: 'joint_venture',
};

/** A registration may be that of the contractor or of GST: the line says which. */
function kindsOf({ topic, quote }: TenderFact): string[] {
  const named = NAMING_TOPICS.includes(topic) || topic === 'registration' ? matchKinds('', quote) : [];
  if (named.length > 0) return named;
  const kind = KIND_OF_TOPIC[topic];
  return kind ? [kind] : [];
}

const MAX_ROW_LINES = 2;

/** The lines by the kind of document that they concern, at most two for each; those that name the kind come first. */
export function factsByKind(facts: readonly TenderFact[]): ReadonlyMap<string, TenderFact[]> {
  const byKind = new Map<string, TenderFact[]>();
  const namingFirst = [...facts].sort(
    (a, b) => Number(NAMING_TOPICS.includes(b.topic)) - Number(NAMING_TOPICS.includes(a.topic)),
  );
  for (const fact of namingFirst)
    for (const kind of kindsOf(fact)) {
      const lines = byKind.get(kind) ?? [];
      if (lines.length < MAX_ROW_LINES && !lines.some(({ quote }) => quote === fact.quote))
        byKind.set(kind, [...lines, fact]);
    }
  return byKind;
}
