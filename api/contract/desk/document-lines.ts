/** What the official files of a tender say, at the desk: their lines, and the acts on a line. */
import { t } from '@lingui/core/macro';
import * as v from 'valibot';
import { DocumentFact, FactValue } from '../documents/document-facts.ts';
import { FACT_STATES, ReadFile } from '../documents/tender-reading.ts';
import { Reason } from './act.ts';

/** Users see no hidden lines. */
export const LINE_STATES = [...FACT_STATES, 'hidden'] as const;
export type LineState = (typeof LINE_STATES)[number];

export const DeskLine = v.object({
  ...DocumentFact.entries,
  id: v.string(),
  fileId: v.string(),
  state: v.picklist(LINE_STATES),
  /** The value that the reader found; `value` is what users see. */
  foundValue: v.nullable(FactValue),
  /** When an operator decided on it, in UTC. */
  decidedAt: v.nullable(v.string()),
});
export type DeskLine = v.InferOutput<typeof DeskLine>;

/** The files of a tender with the state of their reading, and all lines in the order of the documents. */
export const DeskLines = v.object({ id: v.number(), files: v.array(ReadFile), lines: v.array(DeskLine) });
export type DeskLines = v.InferOutput<typeof DeskLines>;

/** `decidedAt` is that of the line on the page: the act is refused when a colleague was faster. */
export const LineRequest = v.object({ reason: Reason, decidedAt: v.nullable(v.string()) });
export type LineRequest = v.InferOutput<typeof LineRequest>;

/** `value` is null for a line without a value. */
export const LineCorrection = v.object({
  ...LineRequest.entries,
  value: v.message(v.nullable(FactValue), () => t`Give the value as a number`),
});
export type LineCorrection = v.InferOutput<typeof LineCorrection>;
