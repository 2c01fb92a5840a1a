/** Parts that letters to offices share. An unknown fact is a line to fill in. */
import { t } from '@lingui/core/macro';
import { formatDate } from '@nivida/contract/format';

/** A line to fill in by hand. */
export const LINE = '____________';

export const letterDate = (day: Date | string | null | undefined): string => (day ? formatDate(day) : LINE);

/** The lines from the date to the salutation. */
export const letterHead = (to: readonly string[], subject: string, now: Date): string[] => [
  t({ message: `Date: ${{ date: formatDate(now) }}`, context: 'letter' }),
  '',
  t({ message: 'To', context: 'letter, before the name of the office' }),
  ...to,
  '',
  subject,
  '',
  t`Sir/Madam,`,
  '',
];

/** The lines after the body, for who signs. */
export const letterEnd = (signature: readonly string[]): string[] => [
  '',
  t`Thanking you,`,
  '',
  t`Yours faithfully,`,
  '',
  ...signature,
];

export interface LetterSender {
  /** Name of the firm; '' leaves a line to fill in. */
  firm: string;
  /** In lines; '' when it is not entered. */
  address: string;
}

/** The signature of a firm. */
export const firmSignature = ({ firm, address }: LetterSender): string[] => [
  firm || LINE,
  ...(address ? address.split('\n') : []),
  t`Authorised signatory, mobile: ${{ line: LINE }}`,
];
