import { formatDay, formatRupees } from '@nivida/contract/format';
import {
  CONTRADICTION_TYPE,
  type Corrigendum,
  type CorrigendumChange,
  REVOCATION_TYPE,
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

/** One change as text; null is an empty value. */
export interface CorrigendumLine {
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
