/** The letter that asks an office for overdue money. An unknown fact is a line to fill in. */
import { t } from '@lingui/core/macro';
import { formatDate, formatFullRupees } from '@nivida/contract/format';
import { inLanguage } from '@nivida/contract/i18n';
import type { Language } from '@nivida/contract/languages';
import { type Deposit, type DepositKind, type DepositMode, kindOf } from './deposit.ts';

export interface LetterFacts {
  deposit: Deposit;
  title: string;
  office: string;
  /** The portal's id of the tender. */
  sourceTenderId: string | null;
  /** The bid was lost. The rule about EMDs is cited only then. */
  isLost: boolean;
  /** The day on which the bid was submitted. */
  submittedAt: string | undefined;
  /** Name of the firm. '' leaves a line to fill in. */
  firm: string;
}

const LINE = '____________';

const kindNames = (): Record<DepositKind, string> => ({
  emd: t({ message: 'Earnest Money Deposit (EMD)', context: 'letter' }),
  tender_fee: t({ message: 'tender fee', context: 'letter' }),
  performance: t({ message: 'performance security', context: 'letter' }),
  additional: t({ message: 'additional security', context: 'letter' }),
});

const modeNames = (): Record<DepositMode, string> => ({
  online: t({ message: 'online payment', context: 'letter' }),
  fdr: t({ message: 'FDR (fixed deposit receipt)', context: 'letter' }),
  bg: t({ message: 'bank guarantee', context: 'letter' }),
  dd: t({ message: 'demand draft', context: 'letter' }),
  exempt: LINE,
});

const letterDate = (day: string | undefined): string => (day ? formatDate(day) : LINE);

/** The letter as lines of text, in a language whose texts are loaded. The first line of the body is the date. */
export const returnLetter = (facts: LetterFacts, language: Language, now: Date): string =>
  inLanguage(language, () => letterLines(facts, now).join('\n'));

function letterLines({ deposit, title, office, sourceTenderId, isLost, submittedAt, firm }: LetterFacts, now: Date) {
  const kind = kindNames()[kindOf(deposit)];
  const amount = deposit.amountPaise === undefined ? LINE : formatFullRupees(deposit.amountPaise / 100);
  const id = sourceTenderId ?? LINE;
  const request = t`You are requested to kindly return the amount or release the instrument at the earliest, and to inform us of the date.`;
  // GFR 2017, rule 170, applies only to the EMD of unsuccessful bidders.
  const rule =
    kindOf(deposit) === 'emd' && isLost
      ? t`Rule 170 of the General Financial Rules, 2017 provides that bid securities of unsuccessful bidders should be returned on or before the 30th day after the award of the contract.`
      : undefined;
  return [
    t({ message: `Date: ${{ date: formatDate(now) }}`, context: 'letter' }),
    '',
    t({ message: 'To', context: 'letter, before the name of the office' }),
    office || LINE,
    '',
    t`Subject: Return of ${kind} of ${amount} – Tender ID ${id}`,
    '',
    t`Sir/Madam,`,
    '',
    t`We submitted a bid for the work “${title}”, Tender ID ${id}, on ${{ day: letterDate(submittedAt) }}. With it we deposited the ${kind}:`,
    '',
    t({ message: `Amount: ${amount}`, context: 'letter' }),
    t({ message: `Mode: ${{ mode: deposit.mode ? modeNames()[deposit.mode] : LINE }}`, context: 'letter' }),
    t({ message: `Number: ${{ number: deposit.number || LINE }}`, context: 'letter' }),
    t({ message: `Bank: ${{ bank: deposit.bank || LINE }}`, context: 'letter' }),
    t({ message: `Dated: ${{ day: letterDate(deposit.paidOn) }}`, context: 'letter' }),
    t({ message: `Due back: ${{ day: letterDate(deposit.dueOn) }}`, context: 'letter' }),
    '',
    [t`The amount has not been received back till date.`, rule, request].filter(Boolean).join(' '),
    '',
    t`Thanking you,`,
    '',
    t`Yours faithfully,`,
    '',
    firm || LINE,
    t`Authorised signatory, mobile: ${{ line: LINE }}`,
  ];
}
