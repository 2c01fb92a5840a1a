/** The letter that asks an office for money that is due back. */
import { t } from '@lingui/core/macro';
import type { DEPOSIT_KINDS, DEPOSIT_MODES, RecordFields } from '@nivida/contract/bids/records';
import { formatFullRupees } from '@nivida/contract/format';
import { inLanguage } from '@nivida/contract/i18n';
import type { Language } from '@nivida/contract/languages';
import { firmSignature, type LetterSender, LINE, letterDate, letterEnd, letterHead } from './letter-parts.ts';

export interface ReturnLetterFacts extends LetterSender {
  deposit: RecordFields<'deposit'>;
  /** What the office holds, in paise; undefined while it is unknown. */
  heldPaise: number | undefined;
  title: string;
  office: string;
  /** The portal's id of the tender. */
  sourceTenderId: string | null;
  /** The bid was lost. The rule about EMDs is cited only then. */
  isLost: boolean;
  /** The day on which the bid was submitted. */
  submittedAt: string | undefined;
}

const kindNames = (): Record<(typeof DEPOSIT_KINDS)[number], string> => ({
  emd: t({ message: 'Earnest Money Deposit (EMD)', context: 'letter' }),
  tender_fee: t({ message: 'tender fee', context: 'letter' }),
  performance: t({ message: 'performance security', context: 'letter' }),
  additional: t({ message: 'additional security', context: 'letter' }),
  retention: t({ message: 'retention money', context: 'letter' }),
});

const modeNames = (): Record<(typeof DEPOSIT_MODES)[number], string> => ({
  online: t({ message: 'online payment', context: 'letter' }),
  fdr: t({ message: 'FDR (fixed deposit receipt)', context: 'letter' }),
  bg: t({ message: 'bank guarantee', context: 'letter' }),
  dd: t({ message: 'demand draft', context: 'letter' }),
  exempt: LINE,
});

/** The letter as lines of text, in a language whose texts are loaded. */
export const returnLetter = (facts: ReturnLetterFacts, language: Language, now: Date): string =>
  inLanguage(language, () => letterLines(facts, now).join('\n'));

function letterLines(facts: ReturnLetterFacts, now: Date): string[] {
  const { deposit, heldPaise, title, office, sourceTenderId, isLost, submittedAt } = facts;
  const { kind: depositKind = 'emd' } = deposit;
  const kind = kindNames()[depositKind];
  const amount = heldPaise === undefined ? LINE : formatFullRupees(heldPaise / 100);
  const id = sourceTenderId ?? LINE;
  const request = t`You are requested to kindly return the amount or release the instrument at the earliest, and to inform us of the date.`;
  // GFR 2017, rule 170, applies only to the EMD of unsuccessful bidders.
  const rule =
    depositKind === 'emd' && isLost
      ? t`Rule 170 of the General Financial Rules, 2017 provides that bid securities of unsuccessful bidders should be returned on or before the 30th day after the award of the contract.`
      : undefined;
  return [
    ...letterHead([office || LINE], t`Subject: Return of ${kind} of ${amount} – Tender ID ${id}`, now),
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
    ...letterEnd(firmSignature(facts)),
  ];
}
