/** The figures that "May I bid?" asks for, one question each. An answer changes the contractor's profile. */
import { t } from '@lingui/core/macro';
import {
  authorityOf,
  type BidProfile,
  type Enlistment,
  type EnlistmentTrade,
  profileYears,
  type RuledTender,
  tradeOf,
  turnoverYears,
  type WorkDone,
} from './may-i-bid.ts';

/** Rupees, a name, an Indian day such as '2027-03-31', one that is not in the future, or a trade. */
interface Answers {
  rupees: number;
  name: string;
  day: string;
  pastDay: string;
  trade: EnlistmentTrade;
}

interface QuestionOf<Kind extends keyof Answers> {
  /** Identifies the question. */
  key: string;
  kind: Kind;
  text: string;
  /** The figure in a list: 'Turnover 2025-26'. */
  label: string;
  /** Null while it is unknown. */
  answer: Answers[Kind] | null;
  /** The profile with another answer; null forgets it. */
  write: (profile: BidProfile, answer: Answers[Kind] | null) => BidProfile;
}
export type BidQuestion = { [Kind in keyof Answers]: QuestionOf<Kind> }[keyof Answers];

/** The questions of one reason. */
export interface ReasonQuestions {
  about: 'enlistment' | 'works' | 'turnover' | 'capacity';
  /** Questions about the figures that the reason reads, in the order in which they are asked. */
  questions: readonly BidQuestion[];
  /** The question that begins another entry. Null if the reason has no entries. */
  another: BidQuestion | null;
}

const noQuestions = (about: ReasonQuestions['about']): ReasonQuestions => ({ about, questions: [], another: null });

const withEntry = <Entry extends { id: string }>(entries: readonly Entry[], id: string, change: Partial<Entry>) =>
  entries.map((entry) => (entry.id === id ? { ...entry, ...change } : entry));
const withoutEntry = <Entry extends { id: string }>(entries: readonly Entry[], id: string) =>
  entries.filter((entry) => entry.id !== id);

/** The id of a new entry. It is created with the first answer, because not every origin can create one. */
function idOnce(): () => string {
  let id: string | undefined;
  return () => {
    id ??= crypto.randomUUID();
    return id;
  };
}

function enlistedQuestion(office: string, trade: EnlistmentTrade | undefined): string {
  if (!trade) return t`Up to what amount are you enlisted at ${office}?`;
  return trade === 'civil'
    ? t`Up to what amount are you enlisted at ${office} for civil works?`
    : t`Up to what amount are you enlisted at ${office} for electrical works?`;
}

function enlistmentQuestions(tender: RuledTender, { enlistments }: BidProfile): ReasonQuestions {
  const authority = authorityOf(tender);
  if (tender.category !== 'Works' || !authority || tender.price === null) return noQuestions('enlistment');
  const trade = tradeOf(tender);
  const office = authority.name;
  const own = enlistments.filter(
    (each) => each.authority === authority.id && (!trade || !each.trade || each.trade === trade),
  );
  const change =
    (id: string, part: Partial<Enlistment>) =>
    (profile: BidProfile): BidProfile => ({ ...profile, enlistments: withEntry(profile.enlistments, id, part) });
  const ofOne = ({ id, ownLimit, validUntil, trade: ofCertificate }: Enlistment): BidQuestion[] => [
    {
      key: `limit ${id}`,
      kind: 'rupees',
      answer: ownLimit,
      text: t`Up to what amount does your certificate of ${office} allow?`,
      label: t`Limit, ${office}`,
      write: (profile, limit) => change(id, { ownLimit: limit })(profile),
    },
    {
      key: `end ${id}`,
      kind: 'day',
      answer: validUntil || null,
      text: t`Until when is your enlistment of ${office} valid?`,
      label: t`Last day, ${office}`,
      write: (profile, day) => change(id, { validUntil: day ?? '' })(profile),
    },
    ...(trade
      ? [
          {
            key: `trade ${id}`,
            kind: 'trade' as const,
            answer: ofCertificate ?? null,
            text: t`Which works is your enlistment of ${office} for?`,
            label: t`Works, ${office}`,
            write: (profile: BidProfile, chosen: EnlistmentTrade | null) =>
              change(id, { trade: chosen ?? undefined })(profile),
          },
        ]
      : []),
  ];
  const newId = idOnce();
  const added = { authority: authority.id, ...(trade && { trade }), className: '', validUntil: '' };
  return {
    about: 'enlistment',
    questions: own.flatMap(ofOne),
    another: {
      key: 'new limit',
      kind: 'rupees',
      answer: null,
      text: enlistedQuestion(office, trade),
      label: t`Add an enlistment`,
      write: (profile, ownLimit) => ({
        ...profile,
        enlistments: [
          ...withoutEntry(profile.enlistments, newId()),
          ...(ownLimit === null ? [] : [{ ...added, id: newId(), ownLimit }]),
        ],
      }),
    },
  };
}

function workQuestions({ price }: RuledTender, { works }: BidProfile): ReasonQuestions {
  if (price === null) return noQuestions('works');
  const change = (profile: BidProfile, id: string, part: Partial<WorkDone>): BidProfile => ({
    ...profile,
    works: withEntry(profile.works, id, part),
  });
  const newId = idOnce();
  return {
    about: 'works',
    questions: works.flatMap(({ id: work, name, value, completedOn }): BidQuestion[] => [
      {
        key: `value ${work}`,
        kind: 'rupees',
        answer: value,
        text: t`What was the value of ${name}?`,
        label: t`Value, ${name}`,
        write: (profile, rupees) => change(profile, work, { value: rupees }),
      },
      {
        key: `completed ${work}`,
        kind: 'pastDay',
        answer: completedOn || null,
        text: t`When was ${name} completed?`,
        label: t`Completed, ${name}`,
        write: (profile, day) => change(profile, work, { completedOn: day ?? '' }),
      },
    ]),
    another: {
      key: 'new work',
      kind: 'name',
      answer: null,
      text:
        works.length === 0
          ? t`Your largest similar work of the last 7 years?`
          : t`Another similar work of the last 7 years?`,
      label: t`Add a work`,
      write: (profile, name) => ({
        ...profile,
        works: [
          ...withoutEntry(profile.works, newId()),
          ...(name === null ? [] : [{ id: newId(), name, value: null, completedOn: '' as const }]),
        ],
      }),
    },
  };
}

const turnoverQuestion = (year: string, { turnover }: BidProfile): BidQuestion => ({
  key: `turnover ${year}`,
  kind: 'rupees',
  answer: turnover[year] ?? null,
  text: t`Your turnover from works in ${year}?`,
  label: t`Turnover ${year}`,
  write: (profile, rupees) => {
    const { [year]: _, ...others } = profile.turnover;
    return { ...profile, turnover: rupees === null ? others : { ...others, [year]: rupees } };
  },
});

function capacityQuestions(
  { price, period_of_work_days: days }: RuledTender,
  profile: BidProfile,
  now: Date,
): ReasonQuestions {
  if (price === null || days === null || days <= 0) return noQuestions('capacity');
  const years = profileYears(now);
  const known = years.filter((year) => profile.turnover[year] !== undefined);
  const inHand: BidQuestion = {
    key: 'works in hand',
    kind: 'rupees',
    answer: profile.commitments,
    text: t`Your works in hand that fall due while this work runs?`,
    label: t`Works in hand`,
    write: (present, commitments) => ({ ...present, commitments }),
  };
  const asked = known.length > 0 ? known : years.slice(0, 1);
  return {
    about: 'capacity',
    questions: [...asked.map((year) => turnoverQuestion(year, profile)), inHand],
    another: null,
  };
}

/** The questions of each reason of `mayIBid`, in the same order. A reason that the tender leaves open has none. */
export function bidQuestions(tender: RuledTender, profile: BidProfile, now: Date): ReasonQuestions[] {
  return [
    enlistmentQuestions(tender, profile),
    workQuestions(tender, profile),
    tender.price === null
      ? noQuestions('turnover')
      : {
          about: 'turnover',
          questions: turnoverYears(now).map((year) => turnoverQuestion(year, profile)),
          another: null,
        },
    capacityQuestions(tender, profile, now),
  ];
}

/** The first question of a reason without an answer. If the reason has no entry yet, the question that begins one. */
export const unansweredQuestion = ({ questions, another }: ReasonQuestions): BidQuestion | undefined =>
  questions.length === 0 ? (another ?? undefined) : questions.find(({ answer }) => answer === null);
