/** Reasons why a document of a checklist is not needed. They are stored in English. */
import { msg, t } from '@lingui/core/macro';
import { i18n } from '@nivida/contract/i18n';

const LABELS = new Map([
  ['I bid alone (no joint venture)', msg`I bid alone (no joint venture)`],
  ['I am the owner (no power of attorney)', msg`I am the owner (no power of attorney)`],
  ['No exemption claimed', msg`No exemption claimed`],
  ['Only if applicable', msg`Only if applicable`],
]);
const OFFICE_SAID_SO = 'Office said so on ';

/** The reasons as they are stored. `today` is the day on which the office answered. */
export const notNeededReasons = (today: string): string[] => [...LABELS.keys(), OFFICE_SAID_SO + today];

/** The label of a stored reason. */
export function reasonLabel(reason: string): string {
  const label = LABELS.get(reason);
  if (label) return i18n._(label);
  if (!reason.startsWith(OFFICE_SAID_SO)) return reason;
  return t`Office said so on ${{ day: reason.slice(OFFICE_SAID_SO.length) }}`;
}
