/** Validates the forms of the contractor's figures. */
import { compactNumber } from '@nivida/contract/digits';
import { indianDay } from '@nivida/contract/format';
import type { BidQuestion } from '@nivida/contract/rules/bid-questions';
import { ENLISTMENT_TRADES, MAX_RUPEES } from '@nivida/contract/rules/may-i-bid';
import { DAY_MS } from '@nivida/contract/time';
import * as v from 'valibot';

const AMOUNT_TEXT = 'Write rupees as a number, such as 25,00,000';
const rupees = v.pipe(
  v.string(),
  v.transform(compactNumber),
  v.regex(/^\d+(\.\d{1,2})?$/, AMOUNT_TEXT),
  v.transform(Number),
  v.maxValue(MAX_RUPEES, AMOUNT_TEXT),
);
const optionalRupees = v.union(
  [
    v.pipe(
      v.literal(''),
      v.transform(() => null),
    ),
    rupees,
  ],
  AMOUNT_TEXT,
);
/** Today or an earlier Indian day. */
const pastDay = (now: Date) =>
  v.pipe(
    v.string(),
    v.isoDate('Choose the day'),
    v.check(
      (day) => Date.parse(day) <= indianDay(now) * DAY_MS,
      'This day is in the future. Add the work when it is completed.',
    ),
  );

const workName = v.pipe(v.string(), v.trim(), v.minLength(1, 'Name the work'), v.maxLength(200, 'At most 200 letters'));
const lastDay = v.pipe(v.string(), v.isoDate('Choose the day'), v.regex(/^20/, 'Check the year'));

export const EnlistmentForm = v.object({
  authority: v.pipe(v.string(), v.minLength(1, 'Choose the office')),
  trade: v.union([
    v.pipe(
      v.literal(''),
      v.transform(() => undefined),
    ),
    v.picklist(ENLISTMENT_TRADES),
  ]),
  className: v.string(),
  ownLimit: optionalRupees,
  validUntil: v.union([v.literal(''), lastDay]),
});

export const workForm = (now: Date) =>
  v.object({
    name: workName,
    client: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(200, 'At most 200 letters')), ''),
    value: rupees,
    completedOn: pastDay(now),
  });

export const FiguresForm = v.object({
  turnover: v.record(v.string(), optionalRupees),
  commitments: optionalRupees,
  multiplier: v.pipe(v.string(), v.transform(Number)),
  raisesValues: v.boolean(),
});

/** Validates the answer to one question. */
export const answerForm = (kind: BidQuestion['kind'], now: Date) =>
  v.object({
    answer: {
      rupees,
      name: workName,
      day: lastDay,
      pastDay: pastDay(now),
      trade: v.picklist(ENLISTMENT_TRADES, 'Choose the works'),
    }[kind] as v.GenericSchema<string, string | number>,
  });

/** The typed amount in rupees. Undefined while the text is not an amount. */
export function typedRupees(text: string): number | undefined {
  const { success, output } = v.safeParse(rupees, text);
  return success ? output : undefined;
}
