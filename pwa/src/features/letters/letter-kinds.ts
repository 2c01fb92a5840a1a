import { t } from '@lingui/core/macro';
import type { LETTER_KINDS, RecordFields } from '@nivida/contract/bids/records';

export type LetterKind = (typeof LETTER_KINDS)[number];
export type StoredLetter = RecordFields<'letter'> & { id: string };

export const letterKindLabels = (): Record<LetterKind, string> => ({
  reasons: t`Ask for the reasons`,
  clarification: t({ message: 'Clarification', context: 'letter' }),
  grievance: t({ message: 'Grievance', context: 'letter' }),
  rti: t`RTI application`,
  return: t`Return of money`,
});

/** A letter's kind, with the money that it asks for: 'Return of money (EMD)'. */
export function letterName(
  { kind = 'clarification', depositId }: StoredLetter,
  depositName: (id: string) => string | undefined,
): string {
  const name = letterKindLabels()[kind];
  const money = depositId === undefined ? undefined : depositName(depositId);
  return money === undefined ? name : `${name} (${money})`;
}
