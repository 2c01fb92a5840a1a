/** Saved searches: named filters, created on a device and synced to all devices of the user. */

import { t } from '@lingui/core/macro';
import * as v from 'valibot';
import { requiredText } from '../fields.ts';
import { MAX_INTEGER_ID } from '../limits.ts';
import { TENDER_CATEGORIES } from '../tenders/tender.ts';
import { LITERAL_PARTS, oneOrSeveral } from './tender-filter.ts';
import { savedFilterEntries } from './tender-query.ts';

/** One name, or a list of names; '' for none. */
const placeNames = v.union([v.string(), v.array(v.string())]);

/** The filter of a saved search: in the database, on the device and in responses. */
export const SavedFilter = v.object({
  state: v.string(),
  district: placeNames,
  department: placeNames,
  q: v.string(),
  literal: v.optional(v.picklist(LITERAL_PARTS)),
  min: v.optional(v.number()),
  max: v.optional(v.number()),
  within: v.optional(v.number()),
  category: v.optional(v.picklist(TENDER_CATEGORIES)),
});
export type SavedFilter = v.InferOutput<typeof SavedFilter>;

/** The filter in requests: parameters of the list's query, as text. */
export const SavedFilterRequest = v.pipe(
  v.strictObject(savedFilterEntries, 'The filter holds a field that does not belong there'),
  v.transform(({ district, department, ...rest }) => ({
    ...rest,
    district: oneOrSeveral(district),
    department: oneOrSeveral(department),
  })),
);
export type SavedFilterRequest = v.InferInput<typeof SavedFilterRequest>;

const id = v.pipe(v.string(), v.uuid('id must be a UUID'));
const name = requiredText(() => t`Name is required`, 80);
/** Tenders with a larger id are new since the search was last opened. */
const openedUpTo = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MAX_INTEGER_ID));

/** Body of `POST /api/searches`: creates it with the device's id. A repeated request changes nothing. */
export const CreateSavedSearchRequest = v.strictObject(
  { id, name, filter: SavedFilterRequest, openedUpTo },
  'Unknown field of a search',
);
export type CreateSavedSearchRequest = v.InferOutput<typeof CreateSavedSearchRequest>;

/** Body of `PATCH /api/searches/{id}`; `openedUpTo` only grows. The last request wins. */
export const UpdateSavedSearchRequest = v.strictObject(
  { name: v.optional(name), openedUpTo: v.optional(openedUpTo) },
  'Unknown field of a search',
);
export type UpdateSavedSearchRequest = v.InferOutput<typeof UpdateSavedSearchRequest>;

/** A saved search in responses; instants in UTC. */
export const SavedSearch = v.object({
  id: v.string(),
  name: v.string(),
  filter: SavedFilter,
  openedUpTo: v.number(),
  createdAt: v.string(),
});
export type SavedSearch = v.InferOutput<typeof SavedSearch>;

/** Answer of `GET /api/searches`, newest first. */
export const SavedSearchListResponse = v.object({ searches: v.array(SavedSearch) });
