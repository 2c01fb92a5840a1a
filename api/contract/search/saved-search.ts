/** Saved searches: what to look for again, under a name; made on a device, kept equal on all of a user's devices. */
import * as v from 'valibot';
import { requiredText } from '../fields.ts';
import { TENDER_CATEGORIES, TenderQuery } from '../tenders/tender.ts';

export const MAX_SEARCHES = 50;

const { state, district, department, q, min, max, within } = TenderQuery.entries;

/** The filter that a search saves: the same words and limits as the query of the lists, as text. */
export const SavedFilter = v.strictObject(
  {
    state,
    district,
    department,
    q,
    min,
    max,
    within,
    category: v.optional(v.picklist(TENDER_CATEGORIES, `category must be ${TENDER_CATEGORIES.join(', ')}`)),
  },
  'The filter holds a field that does not belong there',
);
export type SavedFilter = v.InferOutput<typeof SavedFilter>;
/** The filter as the wire holds it: numbers are text there, as in an address. */
export type SavedFilterInput = v.InferInput<typeof SavedFilter>;

const id = v.pipe(v.string(), v.uuid('id must be a UUID'));
const name = requiredText('Name is required', 80);
/** Tenders with a larger id were not there when the search was last opened: they are its new hits. */
const openedUpTo = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(2_147_483_647));

/** Body of `POST /api/searches`: stores it under the id that the device gave it; sent again it changes nothing more. */
export const CreateSavedSearchRequest = v.strictObject(
  { id, name, filter: SavedFilter, openedUpTo },
  'Unknown field of a search',
);
export type CreateSavedSearchRequest = v.InferOutput<typeof CreateSavedSearchRequest>;

/** Body of `PATCH /api/searches/{id}`; `openedUpTo` only grows. What reaches the server last wins. */
export const UpdateSavedSearchRequest = v.strictObject(
  { name: v.optional(name), openedUpTo: v.optional(openedUpTo) },
  'Unknown field of a search',
);
export type UpdateSavedSearchRequest = v.InferOutput<typeof UpdateSavedSearchRequest>;

/** A saved search as the server answers it; instants in UTC. */
export const SavedSearch = v.object({
  id: v.string(),
  name: v.string(),
  filter: v.object({
    state: v.string(),
    district: v.string(),
    department: v.string(),
    q: v.string(),
    min: v.optional(v.number()),
    max: v.optional(v.number()),
    within: v.optional(v.number()),
    category: v.optional(v.picklist(TENDER_CATEGORIES)),
  }),
  openedUpTo: v.number(),
  createdAt: v.string(),
});
export type SavedSearch = v.InferOutput<typeof SavedSearch>;

/** Answer of `GET /api/searches`, newest first. */
export const SavedSearchListResponse = v.object({ searches: v.array(SavedSearch) });
