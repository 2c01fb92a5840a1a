/** Validates the forms of a bid. */
import { t } from '@lingui/core/macro';
import { compactNumber } from '@nivida/contract/digits';
import * as v from 'valibot';
import { orNone, typedInstant, typedPaise, typedPercent, typedReference, typedText } from '../../data/typed-values.ts';

export const OwnBidForm = v.object({
  title: v.pipe(
    v.string(),
    v.trim(),
    v.minLength(1, () => t`Name the work`),
    v.maxLength(1_000, ({ requirement: max }) => t`At most ${max} letters`),
  ),
  organisation: typedText(1_000),
  closingAt: typedInstant,
});

export const notesForm = (now: Date) =>
  v.object({
    rateKind: v.picklist(['amount', 'percent']),
    ratePaise: typedPaise,
    ratePercent: typedPercent(-100),
    submittedAt: v.pipe(
      typedInstant,
      v.check(
        (instant) => instant === null || new Date(instant) <= now,
        () => t`This time is in the future. Enter when you submitted it.`,
      ),
    ),
    portalBidId: typedReference,
    reminderAt: typedInstant,
    note: typedText(4_000),
  });

export const ResultForm = v.object({
  awardedPaise: typedPaise,
  winner: typedText(300),
  rank: orNone(
    v.pipe(
      v.string(),
      v.transform(compactNumber),
      v.regex(/^[1-9]\d{0,2}$/, () => t`Write the rank as a number, such as 2`),
      v.transform(Number),
    ),
  ),
  rejectionReason: typedText(1_000),
});

export const FirmForm = v.object({ firm: typedText(200) });
