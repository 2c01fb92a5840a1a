/** Reads an official document in a process of its own with limits. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { programFile, runLimitedProgram } from '../base/limited-program.ts';
import { DocumentReading } from './document-reading.ts';

/** Part of what identifies a reading: a file is read again by a newer reader. */
export const READER_VERSION = 1;

/** Limits of one reading; the benchmark and tests set others. */
export interface ReadingLimits {
  seconds: number;
  heapMb: number;
  memoryMb: number;
  fileBytes: number;
  pages: number;
  characters: number;
}

export const READING_LIMITS: ReadingLimits = {
  seconds: 60,
  heapMb: 384,
  memoryMb: 700,
  fileBytes: 25_000_000,
  pages: 400,
  characters: 3_000_000,
};

/** Lines and items, beside the texts of the pages. */
export const MAX_ANSWER_BYTES = 1_000_000;
const MAX_BYTES_PER_CHARACTER = 6;

const READER = programFile(import.meta, 'read-document');

/**
 * The lines of a PDF or the BOQ of a workbook. The bytes decide on the format; a zip file of documents is 'other'. The
 * file is not changed. Rejects when there is no such file, and with a `ProgramFailedError` when the reader did not run.
 */
export async function readDocument(path: string, limits: Partial<ReadingLimits> = {}): Promise<DocumentReading> {
  const { seconds, heapMb, memoryMb, fileBytes, pages, characters } = { ...READING_LIMITS, ...limits };
  if ((await stat(path)).size > fileBytes) return unread('too-large');
  const end = await runLimitedProgram(READER, [path, JSON.stringify({ pages, characters })], {
    seconds,
    heapMb,
    memoryMb,
    answerBytes: MAX_ANSWER_BYTES + characters * MAX_BYTES_PER_CHARACTER,
    // From source the program imports its neighbours and the contract; when built, chunks beside it.
    readable: [path, import.meta.dirname, join(import.meta.dirname, '../../contract')],
  });
  if ('exceeded' in end) return unread('too-large');
  const answer = v.safeParse(v.pipe(v.string(), v.parseJson(), DocumentReading), end.answer);
  return answer.success ? answer.output : unread('broken');
}

const unread = (state: 'too-large' | 'broken'): DocumentReading => ({
  state,
  pages: null,
  unreadPages: [],
  facts: [],
  boq: null,
  texts: [],
});
