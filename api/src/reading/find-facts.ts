/** Finds the lines of a document that concern taking part in a tender, and the few values that are beyond doubt. */
import {
  type DocumentFact,
  FACT_TOPICS,
  type FactTopic,
  type FactValue,
  MAX_QUOTE_CHARACTERS,
} from '@nivida/contract/documents/document-facts';
import { normalised } from './fact-values.ts';
import { findValues } from './label-values.ts';
import type { Line } from './page-lines.ts';
import { TOPIC_LABELS } from './topic-labels.ts';

const MAX_LINES = 3;
const MAX_QUOTE_LINES = 3;

/** A line of a topic and the lines that continue it. */
export interface FoundLine {
  page: number;
  lines: Line[];
}

export function findFacts(pages: readonly Line[][]): DocumentFact[] {
  const values = findValues(pages);
  return FACT_TOPICS.flatMap((topic) => factsOf(topic, pages, values.get(topic)));
}

function factsOf(
  topic: FactTopic,
  pages: readonly Line[][],
  valued: (FoundLine & { value: FactValue }) | undefined,
): DocumentFact[] {
  const facts: DocumentFact[] = [];
  const add = (page: number, lines: readonly Line[], value: FactValue | null) => {
    const quote = quoteOf(lines);
    if (quote !== '' && !facts.some((fact) => isSame(fact.quote, quote))) facts.push({ topic, page, quote, value });
  };
  if (valued) add(valued.page, valued.lines, valued.value);
  for (const { page, lines } of candidates(topic, pages)) {
    if (facts.length >= MAX_LINES) break;
    if (!valued || !lines.some((line) => valued.lines.includes(line))) add(page, lines, null);
  }
  return facts.sort((a, b) => a.page - b.page);
}

const isSame = (a: string, b: string): boolean => normalised(a) === normalised(b);

/** The lines of a topic, those that answer most likely first. */
function candidates(topic: FactTopic, pages: readonly Line[][]): FoundLine[] {
  const { mention, not } = TOPIC_LABELS[topic];
  const found: (FoundLine & { score: number })[] = [];
  for (const [index, lines] of pages.entries())
    for (const [n, line] of lines.entries()) {
      // In a table each cell is about its own topic.
      const concerns = (text: string) => mention.test(text) && !not?.test(text);
      const text = normalised(line.text);
      if (found.at(-1)?.lines.includes(line)) continue;
      const cells = isColumnHeader(line) ? columnLabels(lines, n) : line.cells.map((cell) => cell.text);
      const isOwn = concerns(text) || cells.some((cell) => concerns(normalised(cell)));
      // A sentence or a label may begin in the line before.
      const before = /^\p{Ll}/u.test(line.text) ? lines[n - 1] : undefined;
      const isSecond = before !== undefined && isNext(before, line) && !/[.;]$/.test(before.text);
      if (!isOwn && !(isSecond && concerns(normalised(`${before.text} ${line.text}`)))) continue;
      const own = withContinuation(lines, n);
      const all = isSecond ? [before, ...own.slice(0, MAX_QUOTE_LINES - 1)] : own;
      const at = Math.max(0, normalised(quoteOf(all)).search(mention));
      found.push({ page: index + 1, lines: all, score: scoreOf(normalised(quoteOf(all)), at, index) });
    }
  return found.toSorted((a, b) => b.score - a.score);
}

const ANSWER = /\d|\byes\b|\bno\b|\bnot applicable\b|\ballowed\b|\bpermitted\b|\brequired\b|\bnil\b/;
const CLAUSE =
  /\b(?:refund|forfeit|released?|returned|adjusted|encash|blacklist|debar|such as|for example|e\.g|in case of|if the)\w*/;

function scoreOf(text: string, labelAt: number, pageIndex: number): number {
  let score = labelAt <= 12 ? 4 : labelAt <= 40 ? 1 : 0;
  if (/\d(?:[\d,.]*)\s*(?:%|\/-|days?|months?|years?|lakhs?|lacs?|crores?)|(?:rs\.?|₹|inr)\s*\d/.test(text)) score += 4;
  else if (ANSWER.test(text)) score += 2;
  if (CLAUSE.test(text)) score -= 3;
  if (text.length < 25 && !ANSWER.test(text)) score -= 3;
  if (/\.{5,}\s*\d*$/.test(text)) score -= 6;
  return score - Math.min(4, pageIndex / 10);
}

/** A row of a table with names of columns alone. */
const isColumnHeader = ({ cells, text }: Line): boolean =>
  cells.length >= 3 && !ANSWER.test(normalised(text).replace(/\bno\b/g, ''));

/** The names of columns, with the parts that stand below them. */
function columnLabels(lines: readonly Line[], n: number): string[] {
  const [line, next] = [lines[n] as Line, lines[n + 1]];
  return line.cells.map(({ text, left, right }) => {
    const below = next && isNext(line, next) && isColumnPart(next) ? next.cells : [];
    return [text, ...below.filter((cell) => cell.left < right && cell.right > left).map((cell) => cell.text)].join(' ');
  });
}

const isColumnPart = ({ text }: Line): boolean => !/\d/.test(text);

const isNext = (last: Line, next: Line): boolean => next.y - last.y <= 2 * last.height;

const FULL_LINE_CHARACTERS = 70;

/** A full line of a paragraph and one that may begin with a capital letter. */
const isSameColumn = (last: Line, next: Line): boolean =>
  last.cells.length === 1 &&
  next.cells.length === 1 &&
  last.text.length >= FULL_LINE_CHARACTERS &&
  /^\p{L}/u.test(next.text) &&
  (next.cells[0]?.right ?? 0) <= (last.cells[0]?.right ?? 0) + last.height;

/** A sentence goes on in the next lines; a label without an answer has it there. */
function withContinuation(lines: readonly Line[], start: number): Line[] {
  const all = [lines[start] as Line];
  for (let n = start + 1; n < lines.length && all.length < MAX_QUOTE_LINES; n++) {
    const [last, next] = [all.at(-1) as Line, lines[n] as Line];
    if (!isNext(last, next) || quoteOf([...all, next]).length >= MAX_QUOTE_CHARACTERS) break;
    const goesOn = (/^[\p{Ll}(]/u.test(next.text) || isSameColumn(last, next)) && !/[.:;]$/.test(last.text);
    const isHeading = all.length === 1 && last.text.length < 40 && !ANSWER.test(normalised(last.text));
    if (!isColumnHeader(last) && isColumnHeader(next)) break;
    const isTableRow = all.length <= 2 && isColumnHeader(all[0] as Line) && isColumnPart(last);
    if (!goesOn && !isHeading && !isTableRow) break;
    all.push(next);
  }
  return all;
}

/** The lines as they stand in the text of the page. A long one ends after a word. */
function quoteOf(lines: readonly Line[]): string {
  const text = lines.map((line) => line.text).join('\n');
  if (text.length <= MAX_QUOTE_CHARACTERS) return text;
  const cut = text.slice(0, MAX_QUOTE_CHARACTERS + 1);
  return cut.slice(0, Math.max(1, cut.search(/\s\S*$/))).toWellFormed();
}
