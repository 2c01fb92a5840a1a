/** The order in which the lines of documents are shown. */
import type { FactTopic } from '@nivida/contract/documents/document-facts';
import type { TenderFact, TenderReading } from '@nivida/contract/documents/tender-reading';
import { hasText } from './fact-labels.ts';

/** A bid fails on these. */
const DECISIVE_TOPICS = [
  'originals',
  'emd',
  'documents',
  'class',
  'registration',
  'similarWorks',
  'turnover',
  'preBid',
] as const satisfies readonly FactTopic[];

const OTHER_TOPICS = [
  'fee',
  'estimate',
  'period',
  'validity',
  'security',
  'jointVenture',
  'mse',
  'priceVariation',
  'defectLiability',
] as const satisfies readonly FactTopic[];

/** The lines of one topic. */
export interface TopicFacts {
  topic: FactTopic;
  /** One to three lines. */
  lines: TenderFact[];
  /** More lines of the topic. */
  more: TenderFact[];
}

const MAX_LINES = 3;

/** Lines that the operator has checked come first, then those with a value. */
const rank = ({ state, value }: TenderFact): number => (state === 'found' ? 2 : 0) + (value === null ? 1 : 0);

function groupOf(topic: FactTopic, facts: readonly TenderFact[]): TopicFacts[] {
  const quotes = new Set<string>();
  const lines = facts
    .filter((fact) => fact.topic === topic)
    .sort((a, b) => rank(a) - rank(b))
    // The same line stands in several files of a package.
    .filter(({ quote }) => !quotes.has(quote) && quotes.add(quote));
  return lines.length > 0 ? [{ topic, lines: lines.slice(0, MAX_LINES), more: lines.slice(MAX_LINES) }] : [];
}

/** The lines by topic, and the decisive topics without one in what could be read. */
export interface GroupedFacts {
  decisive: TopicFacts[];
  other: TopicFacts[];
  /** Empty when no text of a notice could be read. */
  notFound: FactTopic[];
}

export function factsByTopic({ facts, files }: TenderReading): GroupedFacts {
  const isNoticeRead = files.some((file) => file.kind === 'nit' && hasText(file));
  return {
    decisive: DECISIVE_TOPICS.flatMap((topic) => groupOf(topic, facts)),
    other: OTHER_TOPICS.flatMap((topic) => groupOf(topic, facts)),
    notFound: isNoticeRead ? DECISIVE_TOPICS.filter((topic) => !facts.some((fact) => fact.topic === topic)) : [],
  };
}

const FACT_HASH = '#fact-';
/** The address of a line on its tender's page. */
export const factHash = (id: string): string => `${FACT_HASH}${id}`;
/** The id of the line that an address names; null without one. */
export const factOfHash = (hash: string): string | null =>
  hash.startsWith(FACT_HASH) ? hash.slice(FACT_HASH.length) : null;
