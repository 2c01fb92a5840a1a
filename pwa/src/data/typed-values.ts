/** Values typed into forms whose fields may stay empty. Amounts are in paise. */
import { MAX_PAISE } from '@nivida/contract/bids/records';
import * as v from 'valibot';

/** The text of an empty field becomes null, which removes the value. */
export const orNone = <T>(schema: v.GenericSchema<string, T>) =>
  v.union([
    v.pipe(
      v.literal(''),
      v.transform(() => null),
    ),
    schema,
  ]);

const AMOUNT_TEXT = 'Write rupees as a number, such as 25,00,000';

/** Rupees as typed, in paise; null for an empty text. */
export const typedPaise = orNone(
  v.pipe(
    v.string(),
    v.transform((text) => text.replace(/[,\s₹]/g, '')),
    v.regex(/^\d+(\.\d{1,2})?$/, AMOUNT_TEXT),
    v.transform((text) => Math.round(Number(text) * 100)),
    v.maxValue(MAX_PAISE, AMOUNT_TEXT),
  ),
);

/** A text of at most `max` characters; null for an empty one. */
export const typedText = (max: number) =>
  orNone(v.pipe(v.string(), v.trim(), v.maxLength(max, `At most ${max} letters`)));

/** An amount for a form's field; '' for none. */
export const toTypedRupees = (paise: number | undefined): string => (paise === undefined ? '' : String(paise / 100));
