import { t } from '@lingui/core/macro';
import { formatDateOfYear, formatDay, formatDayOfYear, formatRupees, indianDay } from '@nivida/contract/format';
import {
  CONTRADICTION_TYPE,
  CORRECTION_TYPE,
  type Corrigendum,
  type CorrigendumChange,
  REVOCATION_TYPE,
  type Tender,
} from '@nivida/contract/tenders/tender';

const fieldLabels = (): Record<CorrigendumChange['field'], string> => ({
  closing_date: t`Closing date`,
  opening_date: t`Bid opening`,
  bid_start_date: t`Bid submission starts`,
  price: t`Estimated value`,
  emd: 'EMD',
  documents: t`Documents`,
});

/** The sentence under a corrigendum without values. */
export function corrigendumRemark({ type }: Corrigendum): string {
  if (type === REVOCATION_TYPE)
    return t`The portal took back a step of its evaluation. That does not cancel the tender.`;
  if (type === CONTRADICTION_TYPE) return t`The portal’s dates contradict each other. Check them at the portal.`;
  if (type === CORRECTION_TYPE) return t`We have corrected what the portal says.`;
  return t`Previous value not published`;
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
    label: fieldLabels()[change.field],
    old: valueText(change.field, change.old, now),
    new: valueText(change.field, change.new, now),
  };
}

/** A change with its values, such as old '5 Dec', now '20 Dec', on '28 Nov'; or a sentence when they are not known. */
export type NotedChange =
  | { field: Exclude<CorrigendumChange['field'], 'documents'>; old: string; now: string; on: string }
  | { sentence: string };

/** The Indian day: '28 Nov'. It has a year when that differs from the year of `now`. */
const dayText = (instant: string, now: Date) => formatDateOfYear(new Date(instant), now);

/** Two instants as days. They have an hour only when both are on the same day. */
function instantTexts(old: string, next: string, now: Date): [string, string] {
  const isOneDay = indianDay(new Date(old)) === indianDay(new Date(next));
  const text = (instant: string) => (isOneDay ? formatDayOfYear(new Date(instant), now) : dayText(instant, now));
  return [text(old), text(next)];
}

function notedChange({ field, old, new: next }: CorrigendumChange, on: string, now: Date): NotedChange {
  if (field === 'documents') return { sentence: t`Documents changed, on ${on}.` };
  const isInstant = field !== 'price' && field !== 'emd';
  if (isInstant && old !== null && next !== null) {
    const [was, is] = instantTexts(old, next, now);
    return { field, old: was, now: is, on };
  }
  const text = (value: string | null) => valueText(field, value, now) ?? t`not specified`;
  return { field, old: text(old), now: text(next), on };
}

/**
 * The changes of the newest corrigendum, then the newest move of the closing. If the corrigendum names no
 * values, its title. Entries about the portal's evaluation and about contradictions are not changes.
 */
export function lastChanges({ corrigenda }: Pick<Tender, 'corrigenda'>, now: Date): NotedChange[] {
  const inOrder = corrigenda
    .filter(({ type }) => type !== REVOCATION_TYPE && type !== CONTRADICTION_TYPE)
    .toSorted((one, other) => one.noticed_at.localeCompare(other.noticed_at));
  const last = inOrder.at(-1);
  if (!last) return [];
  const on = dayText(last.noticed_at, now);
  const noted = last.changes.map((change) => notedChange(change, on, now));
  if (last.type === CORRECTION_TYPE) noted.push({ sentence: t`We have corrected what the portal says, on ${on}.` });
  else if (noted.length === 0) {
    const { title, type } = last;
    const sentence = /date/i.test(type ?? '')
      ? t`Date changed: “${title}”, seen on ${on}. The previous date is not published.`
      : t`Corrigendum: “${title}”, seen on ${on}. The previous value is not published.`;
    noted.push({ sentence });
  }
  const isMove = ({ field, old }: CorrigendumChange) => field === 'closing_date' && old !== null;
  const moved = inOrder.findLast(({ changes }) => changes.some(isMove));
  const move = moved?.changes.find(isMove);
  if (moved && move && moved !== last) noted.push(notedChange(move, dayText(moved.noticed_at, now), now));
  return noted;
}
