/** The values of rows with a label, in the first pages. When in doubt there is none. */
import { FACT_TOPICS, type FactTopic, type FactValue } from '@nivida/contract/documents/document-facts';
import { comparable, normalised, possibleValues, rupeesOf, timeOf } from './fact-values.ts';
import { gemValues, isGemBid } from './gem-bid.ts';
import { type LabelledValue, VALUE_PAGES } from './labelled-value.ts';
import type { Line } from './page-lines.ts';
import { isRailwayNotice, railwayValues } from './railway-notice.ts';
import { TOPIC_LABELS } from './topic-labels.ts';

type ValueTopic = FactTopic & ('emd' | 'fee' | 'estimate' | 'period' | 'validity');
const VALUE_TOPICS = FACT_TOPICS.filter((topic): topic is ValueTopic => TOPIC_LABELS[topic].label !== undefined);

const SERIAL = String.raw`^(?:\(?(?:\d{1,2}(?:\.\d{1,2}){0,3}|[a-z]|[ivx]{1,4})(?:[).:]+|\s(?=[a-z])))?\s*(?:[\u0900-\u097f\s().]+/\s*)?`;
const LABEL_UNIT = String.raw`(?:\s*(?:[([]\s*)?(?:in\s*)?(?:(?:rs\.?|₹|inr)?\s*(?:in\s*)?(?:lakhs?|lacs?)\b|rs\.?|inr|₹|rupees|days|months)(?:\s*[)\]])?)?`;
const SEPARATOR = String.raw`\s*(?:[:=]\s*-?|:?\s*-|[.]{2,})?\s*`;
const ROW = new Map(
  VALUE_TOPICS.map((topic) => [
    topic,
    new RegExp(`${SERIAL}(?:${TOPIC_LABELS[topic].label})(${LABEL_UNIT})${SEPARATOR}$`),
  ]),
);
const INLINE = new Map(
  VALUE_TOPICS.map((topic) => [
    topic,
    new RegExp(
      `${SERIAL}(?:${TOPIC_LABELS[topic].label})(${LABEL_UNIT})(?:\\s*[:=]\\s*-?|\\s*:?\\s*-|[.]{2,}|\\s)\\s*(?=\\S)`,
    ),
  ]),
);

export function findValues(pages: readonly Line[][]): Map<FactTopic, LabelledValue> {
  if (isRailwayNotice(pages)) return railwayValues(pages);
  if (isGemBid(pages)) return gemValues(pages);
  const first = pages.slice(0, VALUE_PAGES);
  if (isAmendment(pages[0] ?? []) || hasSeveralWorks(first)) return new Map();
  const found = new Map<FactTopic, LabelledValue>();
  for (const topic of VALUE_TOPICS) {
    const rows = first.flatMap((lines, index) =>
      lines.slice(0, ownLines(lines)).flatMap((_, n) => {
        const row = valueOfRow(topic, lines, n);
        return row ? [{ page: index + 1, ...row }] : [];
      }),
    );
    const [row] = rows;
    if (row && !hasRival(topic, first, row.value) && !(row.value.unit === 'rupees' && isScaled(first, row.lines)))
      found.set(topic, row);
  }
  return found;
}

const HEADING_CHARACTERS = 60;

/** A corrigendum, which has old values beside new ones. */
const isAmendment = (lines: readonly Line[]): boolean =>
  lines.some(({ text }) => {
    const clean = normalised(text);
    return (
      (text.length < HEADING_CHARACTERS &&
        /^\W*(?:corrigend(?:um|a)|addend(?:um|a)|errat(?:um|a)|amendment)\b/.test(clean)) ||
      /\bbe read as\b/.test(clean) ||
      (text.length < HEADING_CHARACTERS &&
        /\b(?:existing|earlier|old)\b/.test(clean) &&
        /\b(?:amended|revised|modified|new)\b/.test(clean))
    );
  });

const OTHER_SECTION =
  /\b(?:specimen|sample|pro ?forma|example|illustration|model form)\b|\b(?:similar|previous|earlier|past|executed|completed)\b.*\b(?:works?|tenders?|calls?|contracts?)\b/;

/** The lines of a page before a heading of a form to fill in or of other works. */
function ownLines(lines: readonly Line[]): number {
  const at = lines.findIndex(
    ({ text, cells }) =>
      cells.length === 1 &&
      text.length < HEADING_CHARACTERS &&
      !/\d{3}/.test(text) &&
      OTHER_SECTION.test(normalised(text)),
  );
  return at === -1 ? lines.length : at;
}

const SCALE_NOTE =
  /(?:\b(?:amounts?|figures|values|costs?|rupees|rs|inr)\b|₹).{0,15}\bin (?:thousands?|lakhs?|lacs?|crores?|millions?)\b/;

/** Whether a note says that amounts are in thousands or lakhs and the row does not. */
const isScaled = (pages: readonly Line[][], row: readonly Line[]): boolean =>
  pages.flat().some(({ text }) => SCALE_NOTE.test(normalised(text))) &&
  !row.some(({ text }) => /\b(?:lakh|lac|crore|cr)s?\b/.test(normalised(text)));

const WORK_LABEL = new RegExp(`${SERIAL}name of (?:the )?work\\b[\\s:.-]*(?=[a-z])`);
const WORK_CHARACTERS = 12;

/** Whether rows name different works or have a column for each. */
function hasSeveralWorks(pages: readonly Line[][]): boolean {
  if (pages.flat().some(hasValueOfEachWork)) return true;
  const names = pages.flat().flatMap(({ text }) => {
    const clean = normalised(text);
    const label = WORK_LABEL.exec(clean);
    return label
      ? [
          clean
            .slice(label[0].length)
            .replace(/[^a-z]/g, '')
            .slice(0, WORK_CHARACTERS),
        ]
      : [];
  });
  return new Set(names.filter((name) => name.length === WORK_CHARACTERS)).size > 1;
}

const hasValueOfEachWork = ({ cells }: Line): boolean =>
  VALUE_TOPICS.some((topic) => {
    const label = cells.findIndex(({ text }) => ROW.get(topic)?.test(normalised(text)));
    if (label === -1) return false;
    const kind = TOPIC_LABELS[topic].kind ?? 'rupees';
    const [first, second] = cells.slice(label + 1).map(({ text }) => possibleValues(text, kind)[0]);
    return first !== undefined && second !== undefined && first !== second;
  });

/** The value of a row whose first cells are its label and whose other cells are its value. */
function valueOfRow(topic: ValueTopic, lines: readonly Line[], n: number): { lines: Line[]; value: FactValue } | null {
  const line = lines[n] as Line;
  if (line.isDoubtful) return null;
  const start =
    line.cells.length > 1 && /^\(?[\divx]{1,4}(?:\.\d{1,2}){0,3}[).:]*$/i.test(line.cells[0]?.text ?? '') ? 1 : 0;
  const label = line.cells[start];
  // A label within a sentence begins with a small letter.
  if (!label || !/^(?:\(?(?:[ivx]{1,4}|[a-z])[).:]+)?[^a-z]*\p{Lu}|^\W*\d/u.test(label.text)) return null;
  const inline = INLINE.get(topic)?.exec(normalised(label.text));
  const whole = ROW.get(topic)?.exec(normalised(label.text));
  const values = line.cells.slice(start + 1);
  const next = lines[n + 1];
  const isNear = next !== undefined && next.y - line.y < 1.9 * line.height;

  if (whole && values.length > 0) {
    const left = values.find(({ text }) => /[\p{L}\d₹]/u.test(text))?.left ?? 0;
    // The value may go on in the next line of its column, and then be another.
    if (isNear && next.cells.every((cell) => cell.left > label.right + 2 && cell.left >= left - 20)) return null;
    const before = lines[n - 1];
    if (
      before &&
      line.y - before.y < 1.9 * line.height &&
      before.cells.every((cell) => cell.left >= left - 4) &&
      mayBeValue(topic, before.text)
    )
      return null;
    return parsed(topic, whole[1], values.map(({ text }) => text).join(' '), [line]);
  }
  // The label goes on in the next line.
  if (values.length > 0 && isNear && next.cells.length === 1 && !next.isDoubtful) {
    const rest = next.cells[0];
    if (rest && Math.abs(rest.left - label.left) < 3 && rest.right < (values[0]?.left ?? 0)) {
      const two = ROW.get(topic)?.exec(normalised(`${label.text} ${rest.text}`));
      if (two) return parsed(topic, two[1], values.map(({ text }) => text).join(' '), [line, next]);
    }
  }
  if (inline && !whole) {
    if (
      isNear &&
      /^(?:or|and|whichever|per|for|plus|subject|upto|to|of|@|\+|\(|%|[a-z])/.test(next.text.trim()) &&
      !/[.;]$/.test(line.text)
    )
      return null;
    const rest = normalised(label.text).slice(inline[0].length);
    return parsed(topic, inline[1], [rest, ...values.map(({ text }) => text)].join(' '), [line]);
  }
  return null;
}

const mayBeValue = (topic: ValueTopic, text: string): boolean =>
  possibleValues(text, TOPIC_LABELS[topic].kind ?? 'rupees').length > 0 || /\d\s*%/.test(text);

function parsed(
  topic: ValueTopic,
  unit: string | undefined,
  text: string,
  lines: Line[],
): { lines: Line[]; value: FactValue } | null {
  const value =
    TOPIC_LABELS[topic].kind === 'time'
      ? timeOf(cleanValue(text), /days/.test(unit ?? '') ? 'days' : /months/.test(unit ?? '') ? 'months' : null)
      : rupeesOf(cleanValue(text), /la(?:kh|c)/.test(unit ?? '') ? 'lakhs' : null);
  return value && isPlausible(topic, value) ? { lines, value } : null;
}

const cleanValue = (text: string): string => text.replace(/^[\s:=.–-]+/, '').trim();

const RANGES: Record<string, [number, number]> = {
  emd: [100, 10_000_000_000],
  fee: [10, 200_000],
  estimate: [5_000, 1_000_000_000_000],
};

function isPlausible(topic: ValueTopic, value: FactValue): boolean {
  const range = RANGES[topic];
  return !range || (Number(value.amount) >= range[0] && Number(value.amount) <= range[1]);
}

/** Whether another value of the topic is in the pages, or a table of several works. */
function hasRival(topic: ValueTopic, pages: readonly Line[][], value: FactValue): boolean {
  const { mention, not, kind = 'rupees' } = TOPIC_LABELS[topic];
  const own = comparable(value);
  return pages.some((lines) =>
    lines.some((line, n) => {
      const text = normalised(line.text);
      if (!mention.test(text)) return false;
      if (isTableHeader(line)) return true;
      if (not?.test(text)) return false;
      const next = lines[n + 1];
      const values = possibleValues(text, kind);
      if (values.length === 0 && next && !isLabelled(next)) values.push(...possibleValues(next.text, kind));
      return values.some((each) => each !== own);
    }),
  );
}

/** A row that names several topics and has no value. */
function isTableHeader({ cells }: Line): boolean {
  const topics = cells.filter(({ text }) =>
    VALUE_TOPICS.some((topic) => TOPIC_LABELS[topic].mention.test(normalised(text))),
  ).length;
  return (
    topics >= 2 &&
    cells.length >= 3 &&
    cells.every(({ text }) => !/\d{3}|\d\s*(?:days|months|%)/.test(normalised(text)))
  );
}

const isLabelled = ({ text }: Line): boolean => {
  const clean = normalised(text);
  return VALUE_TOPICS.some((topic) => INLINE.get(topic)?.test(clean)) || /^\(?\d{1,2}(?:\.\d{1,2})*[).:\s]/.test(clean);
};
