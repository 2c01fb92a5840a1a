/**
 * Letters about a bid after its end. A law is cited only where it is certain and applies everywhere in India; the
 * clauses of a tender are lines to fill in.
 */
import { t } from '@lingui/core/macro';
import type { RecordFields } from '@nivida/contract/bids/records';
import { formatFullRupees, indianDay } from '@nivida/contract/format';
import { inLanguage } from '@nivida/contract/i18n';
import type { Language } from '@nivida/contract/languages';
import type { TenderStatus } from '@nivida/contract/tenders/status';
import { dayNumber, dayText } from '@nivida/contract/time';
import type { LetterKind } from './letter-kinds.ts';
import { firmSignature, type LetterSender, LINE, letterDate, letterEnd, letterHead } from './letter-parts.ts';

/** RTI Act 2005, section 7(1): an answer is due within 30 days of the receipt of the request. */
const RTI_ANSWER_DAYS = 30;

/** How a bid ended. `pending`: the office decides. `dropped`: the bidder gave it up. */
export type BidEnd = 'pending' | 'won' | 'lost' | 'rejected' | 'cancelled' | 'dropped';

/** The end of a bid; null before the submission. A lost bid with a reason of rejection was rejected. */
export function bidEnd(
  { stage, rejectionReason, submittedAt }: RecordFields<'bid'>,
  status: TenderStatus | null,
): BidEnd | null {
  if (stage === 'won') return 'won';
  if (stage === 'lost') return rejectionReason ? 'rejected' : 'lost';
  const isSubmitted = stage === 'submitted' || stage === 'opened';
  const isCancelled = status === 'cancelled' || status === 'retendered';
  if (isCancelled && (isSubmitted || submittedAt)) return 'cancelled';
  if (stage === 'dropped') return 'dropped';
  return isSubmitted ? 'pending' : null;
}

type BidLetterKind = Exclude<LetterKind, 'return'>;

/** The letters that make sense after an end, beside those about deposits. */
export const LETTERS_OF_END: Record<BidEnd, readonly BidLetterKind[]> = {
  pending: ['clarification'],
  won: ['clarification', 'grievance'],
  lost: ['reasons', 'clarification', 'grievance', 'rti'],
  rejected: ['reasons', 'clarification', 'grievance', 'rti'],
  cancelled: ['reasons', 'grievance', 'rti'],
  dropped: [],
};

/** The day on which an answer is due to a letter that was sent on `sentOn`; null when no rule says so. */
export const answerDueOn = (kind: LetterKind, sentOn: string): string | null =>
  kind === 'rti' ? dayText(dayNumber(sentOn) + RTI_ANSWER_DAYS) : null;

/** True from the day after the one on which an answer was due. */
export const isAnswerOverdue = ({ answerDueOn: due, answeredOn }: RecordFields<'letter'>, now: Date): boolean =>
  due !== undefined && answeredOn === undefined && dayNumber(due) < indianDay(now);

/** What a letter about a bid says. */
export interface BidLetterFacts extends LetterSender {
  end: BidEnd;
  title: string;
  office: string;
  /** The portal's id of the tender. */
  sourceTenderId: string | null;
  submittedAt: string | undefined;
  portalBidId: string | undefined;
  /** When the first cover was opened; null while the portal names no instant that is past. */
  openedAt: Date | null;
  /** The day of the contract, from the award. */
  contractOn: string | null;
  awardedPaise: number | undefined;
  /** As the source writes it. */
  winner: string | undefined;
  rejectionReason: string | undefined;
}

/** A letter as lines of text, in a language whose texts are loaded. */
export const bidLetter = (kind: BidLetterKind, facts: BidLetterFacts, language: Language, now: Date): string =>
  inLanguage(language, () => letterLines(kind, facts, now).join('\n'));

function letterLines(kind: BidLetterKind, facts: BidLetterFacts, now: Date): string[] {
  if (kind === 'rti') return rtiLines(facts, now);
  const id = facts.sourceTenderId ?? LINE;
  const office = facts.office || LINE;
  const [subject, body] = {
    reasons: () => [reasonsSubject(facts.end, id), reasonsBody(facts.end)] as const,
    clarification: () => [t`Subject: Clarification – Tender ID ${id}`, clarificationBody(facts.end)] as const,
    grievance: () => [t`Subject: Representation – Tender ID ${id}`, grievanceBody()] as const,
  }[kind]();
  return [
    ...letterHead([office], subject, now),
    ...factLines(facts),
    '',
    endText(facts),
    '',
    ...body,
    ...letterEnd(firmSignature(facts)),
  ];
}

/** The facts of the bid, one a line. */
function factLines({ title, sourceTenderId, submittedAt, portalBidId, openedAt }: BidLetterFacts): string[] {
  return [
    t({ message: `Work: ${title}`, context: 'letter' }),
    t({ message: `Tender ID: ${{ id: sourceTenderId ?? LINE }}`, context: 'letter' }),
    t({ message: `Our bid was submitted on: ${{ day: letterDate(submittedAt) }}`, context: 'letter' }),
    t({ message: `Bid ID at the portal: ${{ id: portalBidId || LINE }}`, context: 'letter' }),
    t({ message: `Bids were opened on: ${{ day: letterDate(openedAt) }}`, context: 'letter' }),
  ];
}

/** What happened to the bid. */
function endText({ end, contractOn, awardedPaise, winner, rejectionReason }: BidLetterFacts): string {
  const day = letterDate(contractOn);
  const amount = awardedPaise === undefined ? LINE : formatFullRupees(awardedPaise / 100);
  switch (end) {
    case 'pending':
      return t`No result of the tender is known to us yet.`;
    case 'won':
      return t`Our bid was accepted at ${amount}. Contract dated: ${day}.`;
    case 'lost':
      return t`The work was awarded to ${{ winner: winner || LINE }} at ${amount}. Contract dated: ${day}.`;
    case 'rejected':
      return t`Our bid was rejected. The reason that we have seen: ${{ reason: rejectionReason || LINE }}.`;
    case 'cancelled':
      return t`The portal shows that the tender was cancelled or called again.`;
    case 'dropped':
      return t`We no longer take part in this tender.`;
  }
}

const reasonsSubject = (end: BidEnd, id: string): string =>
  end === 'cancelled'
    ? t`Subject: Reasons for the cancellation of the tender – Tender ID ${id}`
    : t`Subject: Reasons why our bid was not accepted – Tender ID ${id}`;

const reasonsBody = (end: BidEnd): string[] => [
  t`You are requested to kindly inform us in writing of:`,
  ...(end === 'cancelled'
    ? [t`1. the reasons for which the tender was cancelled, and the date of the decision;`]
    : [t`1. the reasons for which our bid was not accepted, and the date of the decision;`]),
  ...(end === 'cancelled'
    ? [t`2. whether the work will be called again, and when our deposits are returned.`]
    : [t`2. the clause of the tender document that was applied.`]),
  '',
  t`We refer to this clause of the tender document: ${{ line: LINE }}`,
];

const clarificationBody = (end: BidEnd): string[] =>
  end === 'won'
    ? [
        t`You are requested to kindly inform us of:`,
        t`1. the amount, the form and the last day of the performance security;`,
        t`2. the day and the place of the agreement;`,
        t`3. whether our EMD is returned or adjusted.`,
      ]
    : [
        t`We request a clarification on this point: ${{ line: LINE }}`,
        '',
        t`Clause of the tender document: ${{ line: LINE }}`,
      ];

const grievanceBody = (): string[] => [
  t`We do not agree with this, because: ${{ line: LINE }}`,
  '',
  t`Clause of the tender document: ${{ line: LINE }}`,
  t`Documents that we attach: ${{ line: LINE }}`,
  '',
  t`You are requested to review the matter and to inform us of the result in writing.`,
];

/** Copies that an application asks for. */
function rtiRequests(end: BidEnd): string[] {
  const copies =
    end === 'cancelled'
      ? [
          t`the order by which the tender was cancelled, with the notings of the file;`,
          t`the evaluation of the bids, as far as it was done.`,
        ]
      : [
          t`the evaluation of the technical bids;`,
          t`the comparative statement of the prices of the bids that were opened;`,
          t`the decision on our bid, with the recorded reasons and the notings of the file;`,
          t`the letter of award, with its date and its value.`,
        ];
  return copies.map((copy, index) => `${index + 1}. ${copy}`);
}

function rtiLines(facts: BidLetterFacts, now: Date): string[] {
  const { end, title, sourceTenderId, office, address } = facts;
  return [
    ...letterHead(
      [t`The Public Information Officer`, office || LINE],
      t`Subject: Application under section 6(1) of the Right to Information Act, 2005`,
      now,
    ),
    t`I am a citizen of India. Please give me copies of these documents about the work “${title}”, Tender ID ${{ id: sourceTenderId ?? LINE }}:`,
    '',
    ...rtiRequests(end),
    '',
    t`The application fee of ₹10 is paid by ${{ line: LINE }}, number and date: ${{ second: LINE }}.`,
    t`If another public authority holds this information, please transfer the application under section 6(3) and inform me.`,
    t`Section 7(1) of the Act provides for an answer within 30 days of the receipt of the application.`,
    ...letterEnd([
      t`Name of the applicant: ${{ line: LINE }}`,
      ...(address ? [t`Address: ${{ line: address.split('\n').join(', ') }}`] : [t`Address: ${{ line: LINE }}`]),
      t`Mobile: ${{ line: LINE }}`,
    ]),
  ];
}
