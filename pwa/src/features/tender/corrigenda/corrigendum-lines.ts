import { formatDay, formatRupees, indianDay } from '@nivida/contract/format';
import {
  CONTRADICTION_TYPE,
  type Corrigendum,
  type CorrigendumChange,
  REVOCATION_TYPE,
  type Tender,
} from '@nivida/contract/tenders/tender';

const FIELD_LABELS: Record<CorrigendumChange['field'], string> = {
  closing_date: 'Closing date',
  opening_date: 'Bid opening',
  bid_start_date: 'Bid submission starts',
  price: 'Estimated value',
  emd: 'EMD',
  documents: 'Documents',
};

/** The sentence under a corrigendum without values. */
export function corrigendumRemark({ type }: Corrigendum): string {
  if (type === REVOCATION_TYPE)
    return 'The portal took back a step of its evaluation. That does not cancel the tender.';
  if (type === CONTRADICTION_TYPE) return 'The portal’s dates contradict each other. Check them at the portal.';
  return 'Previous value not published';
}

/** One change as text. Null is an empty value. */
interface CorrigendumLine {
  label: string;
  old: string | null;
  new: string | null;
}

function valueText(field: CorrigendumChange['field'], value: string | null, now: Date): string | null {
  if (value === null) return null;
  if (field === 'price' || field === 'emd') return formatRupees(value);
  return field === 'documents' ? value : formatDay(value, now);
}

/** Formats dates and rupees of a change; `now` decides whether a date has a year. */
export function corrigendumLine(change: CorrigendumChange, now: Date): CorrigendumLine {
  return {
    label: FIELD_LABELS[change.field],
    old: valueText(change.field, change.old, now),
    new: valueText(change.field, change.new, now),
  };
}

/** A change in one sentence. Example: start 'Closing moved', old '5 Dec', now '20 Dec', end ', on 28 Nov.' */
export interface ChangeSentence {
  start: string;
  /** Null when the portal does not publish the old value. Then `start` and `end` are the sentence. */
  old: string | null;
  now: string;
  end: string;
}

const CHANGE_STARTS: Record<CorrigendumChange['field'], string> = {
  closing_date: 'Closing moved',
  opening_date: 'Bid opening moved',
  bid_start_date: 'Start of bids moved',
  price: 'Estimated value changed',
  emd: 'EMD changed',
  documents: 'Documents changed',
};

/** The Indian day: '28 Nov'. It has a year when that differs from the year of `now`. */
const dayText = (instant: string, now: Date) =>
  formatDay(instant, now)
    .replace(/^\w{3} (?=\d)/, '')
    .replace(/, \d+:\d\d [AP]M$/, '');

/** Two instants as days. They have an hour only when both are on the same day. */
function instantTexts(old: string, next: string, now: Date): [string, string] {
  const isOneDay = indianDay(new Date(old)) === indianDay(new Date(next));
  const text = (instant: string) =>
    isOneDay ? formatDay(instant, now).replace(/^\w{3} (?=\d)/, '') : dayText(instant, now);
  return [text(old), text(next)];
}

function changeSentence({ field, old, new: next }: CorrigendumChange, on: string, now: Date): ChangeSentence {
  const start = CHANGE_STARTS[field];
  const end = `, on ${on}.`;
  if (field === 'documents') return { start, old: null, now: '', end };
  const isInstant = field !== 'price' && field !== 'emd';
  if (isInstant && old !== null && next !== null) {
    const [was, is] = instantTexts(old, next, now);
    return { start, old: was, now: is, end };
  }
  const text = (value: string | null) => valueText(field, value, now) ?? 'not specified';
  return { start, old: text(old), now: text(next), end };
}

/**
 * The changes of the newest corrigendum, then the newest move of the closing. If the corrigendum names no
 * values, its title. Entries about the portal's evaluation and about contradictions are not changes.
 */
export function lastChanges({ corrigenda }: Pick<Tender, 'corrigenda'>, now: Date): ChangeSentence[] {
  const inOrder = corrigenda
    .filter(({ type }) => type !== REVOCATION_TYPE && type !== CONTRADICTION_TYPE)
    .toSorted((one, other) => one.noticed_at.localeCompare(other.noticed_at));
  const last = inOrder.at(-1);
  if (!last) return [];
  const on = dayText(last.noticed_at, now);
  const sentences = last.changes.map((change) => changeSentence(change, on, now));
  if (sentences.length === 0) {
    const isDate = /date/i.test(last.type ?? '');
    const start = `${isDate ? 'Date changed' : 'Corrigendum'}: “${last.title}”`;
    const end = `, seen on ${on}. The previous ${isDate ? 'date' : 'value'} is not published.`;
    sentences.push({ start, old: null, now: '', end });
  }
  const isMove = ({ field, old }: CorrigendumChange) => field === 'closing_date' && old !== null;
  const moved = inOrder.findLast(({ changes }) => changes.some(isMove));
  const move = moved?.changes.find(isMove);
  if (moved && move && moved !== last) sentences.push(changeSentence(move, dayText(moved.noticed_at, now), now));
  return sentences;
}
