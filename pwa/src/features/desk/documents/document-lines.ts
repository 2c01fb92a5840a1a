/** Lines of the official files of a tender, and the acts on them. */
import { type DeskLine, DeskLines } from '@nivida/contract/desk/document-lines';
import type { FactTopic, FactValue } from '@nivida/contract/documents/document-facts';
import type { ReadFile } from '@nivida/contract/documents/tender-reading';
import type { QueryResult } from '../../../data/server/query-cache.ts';
import type { UndoAct } from '../act/ActDialog.tsx';
import { createDeskQuery, useDeskQuery } from '../data/desk-query.ts';

/** Texts that the page of a tender has too. */
export interface LineTexts {
  topics: Readonly<Record<FactTopic, string>>;
  valueText: (value: FactValue) => string;
  /** What the reader could do with a file. */
  fileTexts: (file: ReadFile) => readonly string[];
}

const linesCache = createDeskQuery(DeskLines);

export const useDeskLines = (tenderId: string): QueryResult<DeskLines> =>
  useDeskQuery(linesCache, `documents/${tenderId}/lines`);

export const linePath = (tenderId: number, { id }: Pick<DeskLine, 'id'>): string => `documents/${tenderId}/lines/${id}`;

const DECISIONS = { found: 'restore', confirmed: 'confirm', corrected: 'correct', hidden: 'hide' } as const;

/** The act that gives a line the state again that it had before the act with this answer. */
export function undoDecision(before: DeskLine, { id, lines }: DeskLines): UndoAct {
  const decidedAt = lines.find((line) => line.id === before.id)?.decidedAt ?? null;
  const value = before.state === 'corrected' && { value: before.value };
  return { path: `${linePath(id, before)}/${DECISIONS[before.state]}`, body: { decidedAt, ...value } };
}

/** The typed value: '25,000' or '25000.50' rupees, or whole days or months. Undefined for another text. */
export function typedValue(unit: FactValue['unit'], text: string): FactValue | undefined {
  const plain = text.replaceAll(/[,\s]/g, '');
  if (unit !== 'rupees') return /^\d{1,4}$/.test(plain) ? { unit, amount: Number(plain) } : undefined;
  const [, rupees, paise = ''] = /^(\d{1,15})(?:\.(\d{1,2}))?$/.exec(plain) ?? [];
  return rupees === undefined ? undefined : { unit, amount: `${rupees}.${paise.padEnd(2, '0')}` };
}
