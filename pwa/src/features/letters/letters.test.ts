// @vitest-environment node
import type { Messages } from '@lingui/core';
import { formatDate } from '@nivida/contract/format';
import { addTexts, inLanguage } from '@nivida/contract/i18n';
import { expect, test } from 'vitest';
import {
  answerDueOn,
  type BidEnd,
  type BidLetterFacts,
  bidEnd,
  bidLetter,
  isAnswerOverdue,
  LETTERS_OF_END,
} from './bid-letters.ts';
import { type ReturnLetterFacts, returnLetter } from './return-letter.ts';

// 11 May in India
const NOW = new Date('2026-05-10T18:30:00Z');

const LETTER = {
  deposit: { kind: 'emd', mode: 'fdr', number: '4711', bank: 'SBI, Rampur', paidOn: '2026-04-08', dueOn: '2026-05-01' },
  heldPaise: 2_000_000,
  title: 'Link road to Nirmand',
  office: 'PWD Division Nirmand',
  sourceTenderId: '2026_PWD_1',
  isLost: true,
  submittedAt: '2026-04-10T06:00:00.000Z',
  firm: 'Verma and Sons',
  address: '',
} satisfies ReturnLetterFacts;

test('the letter has the tender, the instrument and the dates', () => {
  expect(returnLetter(LETTER, 'en', NOW).split('\n')).toEqual([
    'Date: 11 May 2026',
    '',
    'To',
    'PWD Division Nirmand',
    '',
    'Subject: Return of Earnest Money Deposit (EMD) of ₹20,000 – Tender ID 2026_PWD_1',
    '',
    'Sir/Madam,',
    '',
    'We submitted a bid for the work “Link road to Nirmand”, Tender ID 2026_PWD_1, on 10 Apr 2026. With it we deposited the Earnest Money Deposit (EMD):',
    '',
    'Amount: ₹20,000',
    'Mode: FDR (fixed deposit receipt)',
    'Number: 4711',
    'Bank: SBI, Rampur',
    'Dated: 8 Apr 2026',
    'Due back: 1 May 2026',
    '',
    'The amount has not been received back till date. Rule 170 of the General Financial Rules, 2017 provides that bid securities of unsuccessful bidders should be returned on or before the 30th day after the award of the contract. You are requested to kindly return the amount or release the instrument at the earliest, and to inform us of the date.',
    '',
    'Thanking you,',
    '',
    'Yours faithfully,',
    '',
    'Verma and Sons',
    'Authorised signatory, mobile: ____________',
  ]);
});

const [catalogue] = Object.values(
  import.meta.glob<{ messages: Messages }>('../../../../texts/hi.po', { query: '?part=app', eager: true }),
);
addTexts('hi', catalogue?.messages ?? {});

test('the English letter is the same while the app is in Hindi', () => {
  expect(inLanguage('hi', () => formatDate(NOW))).toBe('11 मई 2026');
  expect(inLanguage('hi', () => returnLetter(LETTER, 'en', NOW))).toBe(returnLetter(LETTER, 'en', NOW));
});

test('the Hindi letter has the same facts, also while the app is in English', () => {
  expect(returnLetter(LETTER, 'hi', NOW).split('\n')).toEqual([
    'दिनांक: 11 मई 2026',
    '',
    'सेवा में,',
    'PWD Division Nirmand',
    '',
    'विषय: धरोहर राशि (EMD) ₹20,000 वापस करने के संबंध में – टेंडर ID 2026_PWD_1',
    '',
    'महोदय/महोदया,',
    '',
    'हमने कार्य “Link road to Nirmand”, टेंडर ID 2026_PWD_1, के लिए 10 अप्रैल 2026 को बोली जमा की थी। इसके साथ धरोहर राशि (EMD) जमा की थी:',
    '',
    'राशि: ₹20,000',
    'माध्यम: FDR (सावधि जमा रसीद)',
    'संख्या: 4711',
    'बैंक: SBI, Rampur',
    'जमा की तिथि: 8 अप्रैल 2026',
    'वापसी की अंतिम तिथि: 1 मई 2026',
    '',
    'यह राशि अब तक वापस नहीं मिली है। सामान्य वित्तीय नियम (GFR) 2017 के नियम 170 के अनुसार असफल बोलीदाताओं की धरोहर राशि ठेका दिए जाने के 30वें दिन तक लौटाई जानी चाहिए। आपसे निवेदन है कि राशि जल्द लौटाएँ या बैंक का कागज़ मुक्त करें, और हमें तिथि बताएँ।',
    '',
    'धन्यवाद,',
    '',
    'भवदीय,',
    '',
    'Verma and Sons',
    'अधिकृत हस्ताक्षरकर्ता, मोबाइल: ____________',
  ]);
});

test('the letter for a bid that was not lost names no rule: rule 170 is about unsuccessful bidders', () => {
  for (const language of ['en', 'hi'] as const) {
    expect(returnLetter(LETTER, language, NOW)).toContain('170');
    expect(returnLetter({ ...LETTER, isLost: false }, language, NOW)).not.toContain('170');
  }
});

test('unknown facts are lines to fill in, and other money names no rule of the EMD', () => {
  const text = returnLetter(
    {
      ...LETTER,
      deposit: { kind: 'performance' },
      heldPaise: undefined,
      sourceTenderId: null,
      submittedAt: undefined,
      office: '',
      firm: '',
    },
    'en',
    NOW,
  );
  expect(text).toContain('Subject: Return of performance security of ____________ – Tender ID ____________');
  expect(text).not.toContain('Rule 170');
  expect(text).not.toContain('undefined');
});

test.each<[Parameters<typeof bidEnd>[0], Parameters<typeof bidEnd>[1], BidEnd | null]>([
  [{}, 'active', null],
  [{ stage: 'preparing' }, 'cancelled', null],
  [{ stage: 'submitted' }, 'closed', 'pending'],
  [{ stage: 'opened' }, null, 'pending'],
  [{ stage: 'opened' }, 'cancelled', 'cancelled'],
  [{ stage: 'submitted' }, 'retendered', 'cancelled'],
  [{ stage: 'dropped', submittedAt: '2026-04-10T06:00:00.000Z' }, 'cancelled', 'cancelled'],
  [{ stage: 'dropped' }, 'cancelled', 'dropped'],
  [{ stage: 'won' }, 'awarded', 'won'],
  [{ stage: 'lost' }, 'awarded', 'lost'],
  [{ stage: 'lost', rejectionReason: 'GST return missing' }, null, 'rejected'],
])('a bid with %j, %s at the source, ended: %s', (bid, status, end) => {
  expect(bidEnd(bid, status)).toBe(end);
});

const FACTS: BidLetterFacts = {
  end: 'lost',
  title: 'Link road to Nirmand',
  office: 'PWD Division Nirmand',
  sourceTenderId: '2026_PWD_1',
  submittedAt: '2026-04-10T06:00:00.000Z',
  portalBidId: '4711',
  openedAt: new Date('2026-04-12T05:30:00Z'),
  contractOn: '2026-05-02',
  awardedPaise: 90_000_050,
  winner: 'Asha & Co',
  rejectionReason: undefined,
  firm: 'Verma and Sons',
  address: 'Main Bazaar\nRampur 172001',
};
const UNKNOWN: BidLetterFacts = {
  ...FACTS,
  ...{ office: '', sourceTenderId: null, submittedAt: undefined, portalBidId: undefined, openedAt: null },
  ...{ contractOn: null, awardedPaise: undefined, winner: undefined, firm: '', address: '' },
};

test('the letter that asks for reasons has the facts of the bid and of its award', () => {
  expect(bidLetter('reasons', FACTS, 'en', NOW).split('\n')).toEqual([
    'Date: 11 May 2026',
    '',
    'To',
    'PWD Division Nirmand',
    '',
    'Subject: Reasons why our bid was not accepted – Tender ID 2026_PWD_1',
    '',
    'Sir/Madam,',
    '',
    'Work: Link road to Nirmand',
    'Tender ID: 2026_PWD_1',
    'Our bid was submitted on: 10 Apr 2026',
    'Bid ID at the portal: 4711',
    'Bids were opened on: 12 Apr 2026',
    '',
    'The work was awarded to Asha & Co at ₹9,00,000.50. Contract dated: 2 May 2026.',
    '',
    'You are requested to kindly inform us in writing of:',
    '1. the reasons for which our bid was not accepted, and the date of the decision;',
    '2. the clause of the tender document that was applied.',
    '',
    'We refer to this clause of the tender document: ____________',
    '',
    'Thanking you,',
    '',
    'Yours faithfully,',
    '',
    'Verma and Sons',
    'Main Bazaar',
    'Rampur 172001',
    'Authorised signatory, mobile: ____________',
  ]);
});

test('each letter of each end, in both languages, marks what is not known and guesses nothing', () => {
  for (const [end, kinds] of Object.entries(LETTERS_OF_END))
    for (const kind of kinds)
      for (const language of ['en', 'hi'] as const) {
        const known = bidLetter(kind, { ...FACTS, end: end as BidEnd }, language, NOW);
        expect(known).toContain('2026_PWD_1');
        expect(known).toContain('PWD Division Nirmand');
        const unknown = bidLetter(kind, { ...UNKNOWN, end: end as BidEnd }, language, NOW);
        expect(unknown).toContain('____________');
        expect(unknown).not.toMatch(/undefined|null|\[object/);
        expect(/[\u0900-\u097f]/.test(known)).toBe(language === 'hi');
      }
});

test('a rejected bid has the reason that was seen, and a cancelled tender asks why it was cancelled', () => {
  const rejected = bidLetter(
    'grievance',
    { ...FACTS, end: 'rejected', rejectionReason: 'GST return missing' },
    'en',
    NOW,
  );
  expect(rejected).toContain('The reason that we have seen: GST return missing.');
  expect(rejected).toContain('We do not agree with this, because: ____________');
  const cancelled = bidLetter('reasons', { ...FACTS, end: 'cancelled' }, 'en', NOW);
  expect(cancelled).toContain('Subject: Reasons for the cancellation of the tender – Tender ID 2026_PWD_1');
  expect(cancelled).not.toContain('Asha & Co');
});

test('an RTI application goes to the information officer, is by a citizen, and cites the sections of the Act', () => {
  const text = bidLetter('rti', FACTS, 'en', NOW);
  expect(text).toContain('To\nThe Public Information Officer\nPWD Division Nirmand');
  expect(text).toContain('Application under section 6(1) of the Right to Information Act, 2005');
  expect(text).toContain('I am a citizen of India.');
  expect(text).toContain('The application fee of ₹10 is paid by ____________');
  expect(text).toContain('within 30 days of the receipt');
  expect(text).toContain('Address: Main Bazaar, Rampur 172001');
  expect(text).not.toContain('Verma and Sons');
});

test('the answer to an RTI application is due 30 days after it was sent, and to other letters on no day', () => {
  expect(answerDueOn('rti', '2026-05-11')).toBe('2026-06-10');
  expect(answerDueOn('reasons', '2026-05-11')).toBeNull();
});

test.each([
  [{ answerDueOn: '2026-05-10' }, true],
  [{ answerDueOn: '2026-05-11' }, false],
  [{ answerDueOn: '2026-05-10', answeredOn: '2026-05-09' }, false],
  [{}, false],
])('the answer to a letter with %j is overdue: %s', (letter, isOverdue) => {
  expect(isAnswerOverdue(letter, NOW)).toBe(isOverdue);
});
