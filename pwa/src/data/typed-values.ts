/** Validates values typed into forms whose fields may stay empty. Amounts are in paise. */
import { t } from '@lingui/core/macro';
import { MAX_PAISE } from '@nivida/contract/bids/records';
import { asciiDigits, compactNumber } from '@nivida/contract/digits';
import { INDIAN_OFFSET_MS } from '@nivida/contract/time';
import * as v from 'valibot';

const NONE = v.pipe(
  v.literal(''),
  v.transform(() => null),
);

/** An empty text becomes null, which removes the value. For another text `schema` decides. */
export const orNone = <T>(schema: v.GenericSchema<string, T>) =>
  v.lazy((text: unknown): v.GenericSchema<string, T | null> => (text === '' ? NONE : schema));

const amountText = () => t`Write rupees as a number, such as 25,00,000`;

/** Typed rupees, as paise; null for an empty text. */
export const typedPaise = orNone(
  v.pipe(
    v.string(),
    v.transform(compactNumber),
    v.regex(/^\d+(\.\d{1,2})?$/, amountText),
    v.transform((text) => Math.round(Number(text) * 100)),
    v.maxValue(MAX_PAISE, amountText),
  ),
);

const percentText = () => t`Write percent as a number, such as -10.5`;

/** Typed percent of at least `min`, with a hyphen or a minus sign; null for an empty text. */
export const typedPercent = (min: number) =>
  orNone(
    v.pipe(
      v.string(),
      v.transform(compactNumber),
      v.regex(/^[+-]?\d+(\.\d{1,4})?$/, percentText),
      v.transform(Number),
      v.minValue(min, percentText),
      v.maxValue(1_000, percentText),
    ),
  );

const yearText = () => t`Check the year`;
const isOfThisCentury = (text: string): boolean => text.startsWith('20');

/**
 * The Indian day of an input of the type `date`; null for an empty text. A mistyped year such as 0202 is
 * refused.
 */
export const typedDay = orNone(
  v.pipe(
    v.string(),
    v.isoDate(() => t`Choose the day`),
    v.check(isOfThisCentury, yearText),
  ),
);

/** The Indian wall time of an input of the type `datetime-local`, as an instant; null for an empty text. */
export const typedInstant = orNone(
  v.pipe(
    v.string(),
    v.regex(/^\d{4,6}-\d\d-\d\dT\d\d:\d\d/, () => t`Choose the day and the hour`),
    v.check((text) => isOfThisCentury(text) && text[4] === '-', yearText),
    v.transform((text) => new Date(`${text.slice(0, 16)}:00+05:30`).toISOString()),
  ),
);

/** The Indian wall time of an instant, for an input of the type `datetime-local`. */
export const toTypedInstant = (instant: string | undefined): string =>
  instant ? new Date(new Date(instant).getTime() + INDIAN_OFFSET_MS).toISOString().slice(0, 16) : '';

/** The instant of such an input. A wrong one is sent as it was typed, and the server says so. */
export function instantOrTyped(typed: string): string | undefined {
  const { success, output } = v.safeParse(typedInstant, typed);
  return success ? (output ?? undefined) : typed;
}

/** A text of at most `max` characters; null for an empty one. */
export const typedText = (max: number) =>
  orNone(
    v.pipe(
      v.string(),
      v.trim(),
      v.maxLength(max, () => t`At most ${max} letters`),
    ),
  );

/** The number of an instrument or a payment, which may have letters; digits become 0 to 9. */
export const typedReference = orNone(
  v.pipe(
    v.string(),
    v.trim(),
    v.transform(asciiDigits),
    v.maxLength(60, ({ requirement: max }) => t`At most ${max} letters`),
  ),
);

/** An amount for a form's field; '' when there is none. */
export const toTypedRupees = (paise: number | undefined): string => (paise === undefined ? '' : String(paise / 100));
