import type { FactValue } from '@nivida/contract/documents/document-facts';
import type { Line } from './page-lines.ts';

/** Pages in which a label is this tender's. Later ones are conditions. */
export const VALUE_PAGES = 6;

export interface LabelledValue {
  /** From 1. */
  page: number;
  lines: Line[];
  value: FactValue;
}
