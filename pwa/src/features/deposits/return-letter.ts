/**
 * The letter that asks an office for overdue money, in Indian English and Hindi. An unknown fact is a line to
 * fill in.
 */
import { formatDate, formatFullRupees } from '@nivida/contract/format';
import { inLanguage } from '@nivida/contract/i18n';
import { type Deposit, type DepositKind, type DepositMode, kindOf } from './deposit.ts';

export type LetterLanguage = 'en' | 'hi';

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

const KINDS: Record<LetterLanguage, Record<DepositKind, string>> = {
  en: {
    emd: 'Earnest Money Deposit (EMD)',
    tender_fee: 'tender fee',
    performance: 'performance security',
    additional: 'additional security',
  },
  hi: {
    emd: 'धरोहर राशि (EMD)',
    tender_fee: 'टेंडर फीस',
    performance: 'परफॉर्मेंस सिक्योरिटी',
    additional: 'अतिरिक्त सिक्योरिटी',
  },
};

const MODES: Record<LetterLanguage, Record<DepositMode, string>> = {
  en: {
    online: 'online payment',
    fdr: 'FDR (fixed deposit receipt)',
    bg: 'bank guarantee',
    dd: 'demand draft',
    exempt: LINE,
  },
  hi: { online: 'ऑनलाइन भुगतान', fdr: 'FDR (सावधि जमा)', bg: 'बैंक गारंटी', dd: 'डिमांड ड्राफ्ट', exempt: LINE },
};

/** GFR 2017, rule 170, applies only to the EMD of unsuccessful bidders. */
const RULES: Record<LetterLanguage, string> = {
  en: 'Rule 170 of the General Financial Rules, 2017 provides that bid securities of unsuccessful bidders should be returned on or before the 30th day after the award of the contract. ',
  hi: 'सामान्य वित्तीय नियम (GFR) 2017 के नियम 170 के अनुसार असफल बोलीदाताओं की धरोहर राशि ठेका दिए जाने के 30वें दिन तक लौटाई जानी चाहिए। ',
};

/** In English in both letters, also while the app is in Hindi. */
const writtenDate = (day: string | Date): string => inLanguage('en', () => formatDate(day));

const dayText = (day: string | undefined): string => (day ? writtenDate(day) : LINE);

/** The letter as lines of text. The first line of the body is the date. */
export function returnLetter(facts: LetterFacts, language: LetterLanguage, now: Date): string {
  const { deposit, title, office, sourceTenderId, isLost, submittedAt, firm } = facts;
  const kind = KINDS[language][kindOf(deposit)];
  const amount = deposit.amountPaise === undefined ? LINE : formatFullRupees(deposit.amountPaise / 100);
  const mode = deposit.mode ? MODES[language][deposit.mode] : LINE;
  const rule = kindOf(deposit) === 'emd' && isLost ? RULES[language] : '';
  const instrument = { number: deposit.number || LINE, bank: deposit.bank || LINE, paidOn: dayText(deposit.paidOn) };
  const values = {
    ...{ kind, amount, mode, rule, ...instrument },
    title,
    office: office || LINE,
    id: sourceTenderId ?? LINE,
    submitted: dayText(submittedAt),
    due: dayText(deposit.dueOn),
    today: writtenDate(now),
    firm: firm || LINE,
  };
  return (language === 'en' ? englishLetter(values) : hindiLetter(values)).join('\n');
}

type LetterValues = Record<
  | 'kind'
  | 'amount'
  | 'mode'
  | 'rule'
  | 'number'
  | 'bank'
  | 'paidOn'
  | 'title'
  | 'office'
  | 'id'
  | 'submitted'
  | 'due'
  | 'today'
  | 'firm',
  string
>;

const englishLetter = (of: LetterValues): string[] => [
  `Date: ${of.today}`,
  '',
  'To',
  of.office,
  '',
  `Subject: Return of ${of.kind} of ${of.amount} – Tender ID ${of.id}`,
  '',
  'Sir/Madam,',
  '',
  `We submitted a bid for the work “${of.title}”, Tender ID ${of.id}, on ${of.submitted}. With it we deposited the ${of.kind}:`,
  '',
  `Amount: ${of.amount}`,
  `Mode: ${of.mode}`,
  `Number: ${of.number}`,
  `Bank: ${of.bank}`,
  `Dated: ${of.paidOn}`,
  `Due back: ${of.due}`,
  '',
  `The amount has not been received back till date. ${of.rule}You are requested to kindly return the amount or release the instrument at the earliest, and to inform us of the date.`,
  '',
  'Thanking you,',
  '',
  'Yours faithfully,',
  '',
  of.firm,
  `Authorised signatory, mobile: ${LINE}`,
];

const hindiLetter = (of: LetterValues): string[] => [
  `दिनांक: ${of.today}`,
  '',
  'सेवा में,',
  of.office,
  '',
  `विषय: ${of.kind} ${of.amount} वापस करने हेतु – टेंडर ID ${of.id}`,
  '',
  'महोदय/महोदया,',
  '',
  `हमने कार्य “${of.title}”, टेंडर ID ${of.id}, के लिए ${of.submitted} को बोली जमा की थी। इसके साथ ${of.kind} जमा की थी:`,
  '',
  `राशि: ${of.amount}`,
  `माध्यम: ${of.mode}`,
  `संख्या: ${of.number}`,
  `बैंक: ${of.bank}`,
  `जमा की तारीख़: ${of.paidOn}`,
  `वापसी की अंतिम तारीख़: ${of.due}`,
  '',
  `यह राशि अब तक वापस नहीं मिली है। ${of.rule}आपसे निवेदन है कि राशि शीघ्र लौटाएँ या बैंक का काग़ज़ मुक्त करें, और हमें तारीख़ बताएँ।`,
  '',
  'धन्यवाद,',
  '',
  'भवदीय,',
  '',
  of.firm,
  `अधिकृत हस्ताक्षरकर्ता, मोबाइल: ${LINE}`,
];
