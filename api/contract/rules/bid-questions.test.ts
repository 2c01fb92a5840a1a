import { expect, test, vi } from 'vitest';
import { type BidQuestion, bidQuestions, unansweredQuestion } from './bid-questions.ts';
import { type BidProfile, EMPTY_BID_PROFILE, mayIBid, type RuledTender } from './may-i-bid.ts';

const NOW = new Date('2026-11-20T12:00:00+05:30');
const TENDER: RuledTender = {
  ...{ state: 'Himachal Pradesh', department: 'PWD', category: 'Works', price: 1_000_000 },
  ...{ published_date: '2026-11-01T00:00:00.000Z', closing_date: '2026-12-01T00:00:00.000Z' },
  period_of_work_days: 365,
};

const ANSWERS = { rupees: 9_000_000, name: 'Road', day: '2027-03-31', pastDay: '2025-03-31', trade: 'electrical' };
const withAnswer = ({ write, kind }: BidQuestion, profile: BidProfile): BidProfile =>
  (write as (profile: BidProfile, answer: unknown) => BidProfile)(profile, ANSWERS[kind]);

const nextQuestion = (tender: RuledTender, profile: BidProfile): BidQuestion | undefined =>
  bidQuestions(tender, profile, NOW)
    .map(unansweredQuestion)
    .find((question) => question !== undefined);

/** The keys of the questions in turn, and the profile after all answers. */
function answerAll(tender: RuledTender, start: BidProfile = EMPTY_BID_PROFILE) {
  const asked: string[] = [];
  let profile = start;
  for (let next = nextQuestion(tender, profile); next; next = nextQuestion(tender, profile)) {
    asked.push(next.label);
    profile = withAnswer(next, profile);
    if (asked.length > 20) throw new Error(`endless: ${asked.join(', ')}`);
  }
  return { asked, profile };
}

const ASKED_FOR_WORKS = ['Add a work', 'Value, Road', 'Completed, Road'];
const ASKED_FOR_TURNOVER = ['Turnover 2025-26', 'Turnover 2024-25', 'Turnover 2023-24'];
const LIMIT = ['Add an enlistment', 'Last day, Himachal Pradesh PWD'];

test.each<[string, Partial<RuledTender>, string[]]>([
  ['a work', {}, [...LIMIT, ...ASKED_FOR_WORKS, ...ASKED_FOR_TURNOVER, 'Works in hand']],
  [
    'a work of a trade',
    { sub_category: 'Electrical Works' },
    [...LIMIT, ...ASKED_FOR_WORKS, ...ASKED_FOR_TURNOVER, 'Works in hand'],
  ],
  ['a work without a period', { period_of_work_days: null }, [...LIMIT, ...ASKED_FOR_WORKS, ...ASKED_FOR_TURNOVER]],
  [
    'a work of an office whose enlistment is not known',
    { department: 'Horticulture' },
    [...ASKED_FOR_WORKS, ...ASKED_FOR_TURNOVER, 'Works in hand'],
  ],
  ['goods', { category: 'Goods' }, [...ASKED_FOR_WORKS, ...ASKED_FOR_TURNOVER, 'Works in hand']],
  ['a tender without an estimate', { price: null }, []],
])('%s asks for each figure once, and no reason then says that one is missing', (_, part, expected) => {
  const tender = { ...TENDER, ...part };
  const { asked, profile } = answerAll(tender);
  expect(asked).toEqual(expected);
  const { reasons } = mayIBid(tender, profile, NOW);
  for (const { text } of reasons) expect(text).not.toMatch(/you entered no|enter (the|your)|^Similar works: you/i);
});

test('an enlistment whose trade is not known is asked which works it is for', () => {
  const enlistment = { id: '1', authority: 'hp_pwd', className: '', ownLimit: 9_000_000, validUntil: '2027-03-31' };
  const { asked, profile } = answerAll(
    { ...TENDER, sub_category: 'Electrical Works' },
    { ...EMPTY_BID_PROFILE, enlistments: [enlistment] },
  );
  expect(asked[0]).toBe('Works, Himachal Pradesh PWD');
  expect(profile.enlistments).toEqual([{ ...enlistment, trade: 'electrical' }]);
});

test('each answer is forgotten again, and the other figures stay', () => {
  const { profile } = answerAll(TENDER);
  for (const { questions } of bidQuestions(TENDER, profile, NOW))
    for (const question of questions) {
      const without = question.write(profile, null);
      const again = bidQuestions(TENDER, without, NOW).flatMap((each) => each.questions);
      const same = again.find(({ key }) => key === question.key);
      expect(same?.answer ?? null, question.label).toBeNull();
      expect(withAnswer(question, without)).toEqual(profile);
    }
});

test('questions are asked where an origin without https has no ids for new entries', () => {
  vi.stubGlobal('crypto', {});
  expect(bidQuestions(TENDER, EMPTY_BID_PROFILE, NOW).flatMap(({ another }) => another?.label ?? [])).toEqual([
    'Add an enlistment',
    'Add a work',
  ]);
  vi.unstubAllGlobals();
});
