/** Validates the forms of the contractor's figures. */
import { t } from '@lingui/core/macro';
import { compactNumber } from '@nivida/contract/digits';
import { indianDay } from '@nivida/contract/format';
import type { BidQuestion } from '@nivida/contract/rules/bid-questions';
import { ENLISTMENT_TRADES, MAX_RUPEES } from '@nivida/contract/rules/may-i-bid';
import { DAY_MS } from '@nivida/contract/time';
import * as v from 'valibot';

const MAX_CHARACTERS = 200;
const amountText = () => t`Write rupees as a number, such as 25,00,000`;
const rupees = v.pipe(
  v.string(),
  v.transform(compactNumber),
  v.regex(/^\d+(\.\d{1,2})?$/, amountText),
  v.transform(Number),
  v.maxValue(MAX_RUPEES, amountText),
);
export const optionalRupees = v.union(
  [
    v.pipe(
      v.literal(''),
      v.transform(() => null),
    ),
    rupees,
  ],
  amountText,
);
/** Today or an earlier Indian day. */
export const pastDay = (now: Date) =>
  v.pipe(
    v.string(),
    v.isoDate(() => t`Choose the day`),
    v.check(
      (day) => Date.parse(day) <= indianDay(now) * DAY_MS,
      () => t`This day is in the future. Add the work when it is completed.`,
    ),
  );

const shortText = v.pipe(
  v.string(),
  v.trim(),
  v.maxLength(MAX_CHARACTERS, () => t`At most ${MAX_CHARACTERS} letters`),
);
export const firmName = v.pipe(
  shortText,
  v.minLength(1, () => t`Name the firm`),
);
const workName = v.pipe(
  shortText,
  v.minLength(1, () => t`Name the work`),
);
const lastDay = v.pipe(
  v.string(),
  v.isoDate(() => t`Choose the day`),
  v.regex(/^20/, () => t`Check the year`),
);

export const EnlistmentForm = v.object({
  authority: v.pipe(
    v.string(),
    v.minLength(1, () => t`Choose the office`),
  ),
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
    client: v.optional(shortText, ''),
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
      trade: v.picklist(ENLISTMENT_TRADES, () => t`Choose the works`),
    }[kind] as v.GenericSchema<string, string | number>,
  });

/** The typed amount in rupees. Undefined while the text is not an amount. */
export function typedRupees(text: string): number | undefined {
  const { success, output } = v.safeParse(rupees, text);
  return success ? output : undefined;
}
