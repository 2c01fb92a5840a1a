/** Corrigenda as lines of old and new values. */
import { formatDay, formatRupees } from '@nivida/contract/format';
import { type Corrigendum, type CorrigendumChange, NOTICED_TYPE, REVOCATION_TYPE } from '@nivida/contract/tender';

const FIELD_WORDS: Record<CorrigendumChange['field'], string> = {
  closing_date: 'Closing date',
  opening_date: 'Bid opening',
  bid_start_date: 'Bid submission starts',
  price: 'Estimated value',
  emd: 'EMD',
  documents: 'Documents',
};

/** The sentence under an entry without values. */
export function remarkOf({ type }: Corrigendum): string {
  if (type === REVOCATION_TYPE)
    return 'The portal took back a step of its evaluation. That does not cancel the tender.';
  if (type === NOTICED_TYPE) return 'The portal’s dates contradict each other. Check them at the portal.';
  return 'Previous value not published';
}

/** One changed value in words; null stays null, it was or became empty. */
export interface ChangeLine {
  label: string;
  old: string | null;
  new: string | null;
}

function valueText(field: CorrigendumChange['field'], value: string | null, now: Date): string | null {
  if (value === null) return null;
  if (field === 'price' || field === 'emd') return formatRupees(value);
  return field === 'documents' ? value : formatDay(value, now);
}

/** The change with its dates and rupees written out; `now` decides whether a year is needed. */
export function changeLine(change: CorrigendumChange, now: Date): ChangeLine {
  return {
    label: FIELD_WORDS[change.field],
    old: valueText(change.field, change.old, now),
    new: valueText(change.field, change.new, now),
  };
}
