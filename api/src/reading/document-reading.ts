/** The result of reading one file. It is what the reader's process writes to its standard output as JSON. */
import { Boq } from '@nivida/contract/documents/boq';
import { DocumentFact, READING_STATES, UnreadPage } from '@nivida/contract/documents/document-facts';
import * as v from 'valibot';

export const DocumentReading = v.object({
  state: v.picklist(READING_STATES),
  /** Pages of a PDF; null for a workbook and for a file that could not be opened. */
  pages: v.nullable(v.number()),
  unreadPages: v.array(UnreadPage),
  facts: v.array(DocumentFact),
  boq: v.nullable(Boq),
  /** The text of each page of a PDF, empty for an unread one; a workbook has one text for each item. For search. */
  texts: v.array(v.string()),
});
export type DocumentReading = v.InferOutput<typeof DocumentReading>;
