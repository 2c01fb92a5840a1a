/** What operators do to tenders. */
import * as v from 'valibot';
import { ActRequest } from './act.ts';

/** Fields of a tender that an operator may correct. */
export const CORRECTABLE_FIELDS = [
  'title',
  'closing',
  'opening',
  'bid_start',
  'pre_bid',
  'value',
  'emd',
  'fee',
  'pincode',
  'district',
  'department',
] as const;
export type CorrectableField = (typeof CORRECTABLE_FIELDS)[number];

/** Corrects a field. An empty value empties the field. `version` is the tender's version that the member of staff saw. */
export const CorrectTenderRequest = v.object({
  ...ActRequest.entries,
  field: v.picklist(CORRECTABLE_FIELDS),
  value: v.pipe(v.string(), v.maxLength(500)),
  version: v.optional(v.number()),
});
export type CorrectTenderRequest = v.InferOutput<typeof CorrectTenderRequest>;
