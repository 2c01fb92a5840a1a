/** Readings for tests. Each test sets what matters to it. */
import type { FactTopic } from '@nivida/contract/documents/document-facts';
import type { ReadFile, TenderFact, TenderReading } from '@nivida/contract/documents/tender-reading';

export const testReadFile = (fields: Partial<ReadFile> = {}): ReadFile => ({
  ...{ id: '1', name: 'nit.pdf', kind: 'nit', sha256: 'a'.repeat(64), state: 'done', pages: 60, unreadPages: [] },
  ...{ readAt: '2026-04-13T05:30:00.000Z', isOwn: false },
  ...fields,
});

export const testFact = (topic: FactTopic, fields: Partial<TenderFact> = {}): TenderFact => ({
  ...{ id: `${topic}-1`, fileId: '1', topic, page: 4, quote: `A line about ${topic}`, value: null, state: 'found' },
  ...fields,
});

/** What one notice says. */
export const testReading = (facts: TenderFact[] = [], fields: Partial<TenderReading> = {}): TenderReading => ({
  ...{ files: [testReadFile()], facts, boqs: [] },
  ...fields,
});
