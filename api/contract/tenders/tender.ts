/** Tenders as the API sends them and the app stores them. Instants are ISO 8601 UTC, money is in rupees. */
import * as v from 'valibot';
import { PACKAGE_KINDS } from '../orders/document-package.ts';
import { TENDER_STAGES, TENDER_STATUSES } from './status.ts';
import { type LaterFieldKey, TENDER_FIELD_LIST, type TENDER_FIELDS, type TenderFieldValues } from './tender-fields.ts';

const instant = v.pipe(v.string(), v.isoTimestamp());

/** One row of a list: everything a card shows, in SPEC's names. */
export const TenderSummary = v.object({
  _id: v.string(),
  title: v.string(),
  description: v.string(),
  org_name: v.string(),
  department: v.nullable(v.string()),
  category: v.nullable(v.string()),
  /** The status at the instant of the answer. A device derives the present one with `statusAt`. */
  status: v.picklist(TENDER_STATUSES),
  /** The portal's stage. */
  stage: v.picklist(TENDER_STAGES),
  state: v.string(),
  district: v.nullable(v.string()),
  /** Set for a work in two districts of its state. */
  second_district: v.nullable(v.string()),
  pincode: v.nullable(v.string()),
  address: v.nullable(v.string()),
  bid_opening_place: v.nullable(v.string()),
  /** Estimate in rupees; null when the portal published none. */
  price: v.nullable(v.number()),
  /** Amount in another currency, as text: 'MXN 1,200,000'. */
  price_text: v.nullable(v.string()),
  /** Two-decimal rupees; '0.00' means not required, null means not specified. */
  emd: v.nullable(v.string()),
  published_date: instant,
  bid_start_date: v.nullable(instant),
  closing_date: instant,
  /** False when the source gave a date only; `closing_date` is then the end of that Indian day. */
  closing_time_known: v.boolean(),
  source_portal: v.string(),
  source_tender_id: v.string(),
  reference_number: v.nullable(v.string()),
  /** How many published works share this one's NIT, itself included. */
  nit_works: v.number(),
  /** What the newest corrigendum changed: the closing date, or something else. */
  last_corrigendum: v.nullable(v.picklist(['date', 'other'])),
  /** When we last compared it with the portal. */
  fetched_at: instant,
  /**
   * Known from a list of its portal only, which has no value, EMD, fee and place; a later file fills them. Older answers lack
   * it.
   */
  is_listed: v.optional(v.boolean()),
  /** Generated, or imported with shifted dates; never a live tender. */
  demonstration: v.boolean(),
});
export type TenderSummary = v.InferOutput<typeof TenderSummary>;

/** One value that a corrigendum changed; null: empty. */
export const CorrigendumChange = v.object({
  field: v.picklist(['closing_date', 'opening_date', 'bid_start_date', 'price', 'emd', 'documents']),
  old: v.nullable(v.string()),
  new: v.nullable(v.string()),
});
export type CorrigendumChange = v.InferOutput<typeof CorrigendumChange>;

/** Type of a corrigendum that revokes a step of the evaluation. The tender itself continues. */
export const REVOCATION_TYPE = 'Evaluation revoked';
/** Type of an entry that we add when the portal's data contradict each other. */
export const CONTRADICTION_TYPE = 'Noticed by Nivida';
/** Type of an entry for a field that an operator has corrected. */
export const CORRECTION_TYPE = 'Corrected by Nivida';

/** A change of a published tender. `changes` is empty when the portal names it without its values. */
export const Corrigendum = v.object({
  title: v.string(),
  /** The portal's own type ('Date', 'Technical Bid' …), or null for one that we noticed ourselves. */
  type: v.nullable(v.string()),
  /** When we first saw it. */
  noticed_at: instant,
  changes: v.array(CorrigendumChange),
});
export type Corrigendum = v.InferOutput<typeof Corrigendum>;

/** Facts of a second portal about the tender. The tender itself has the facts of `source_portal`. */
export const OtherSource = v.object({
  portal: v.string(),
  closing_date: instant,
  closing_time_known: v.boolean(),
  stage: v.picklist(TENDER_STAGES),
});
export type OtherSource = v.InferOutput<typeof OtherSource>;

/** What can be bought for one tender; see `sellablePackage`. */
export const DocumentContents = v.object({ kind: v.picklist(PACKAGE_KINDS), works: v.number() });

const FIELD_SCHEMAS = { text: v.string(), number: v.number(), rupees: v.string(), boolean: v.boolean() };

type Fields = typeof TENDER_FIELDS;
type NullableField<Key extends keyof Fields> = v.NullableSchema<
  v.GenericSchema<NonNullable<TenderFieldValues[Key]>>,
  undefined
>;
type FieldEntries = {
  [Key in keyof Fields as Fields[Key]['name']]: Key extends LaterFieldKey
    ? v.OptionalSchema<NullableField<Key>, undefined>
    : NullableField<Key>;
};

/** The fields of the table. An older server lacks later ones. */
const fieldEntries = Object.fromEntries(
  TENDER_FIELD_LIST.map(({ name, type, later }) => {
    const schema = v.nullable(FIELD_SCHEMAS[type]);
    return [name, later ? v.optional(schema) : schema];
  }),
) as unknown as FieldEntries;

/** Everything about one tender. */
export const Tender = v.object({
  ...fieldEntries,
  ...TenderSummary.entries,
  /** Groups the works of one NIT; null when the portal gave no reference. */
  nit_id: v.nullable(v.string()),
  organisation_chain: v.array(v.string()),
  opening_date: v.nullable(instant),
  pre_bid_date: v.nullable(instant),
  documents: v.array(v.object({ cover: v.string(), type: v.string(), name: v.string() })),
  /** Contents of its document package. An unknown kind is read as no package. */
  document_package: v.fallback(v.nullable(DocumentContents), null),
  /** Other works of the same NIT, at most 20, in the portal's order. */
  nit_siblings: v.array(v.object({ _id: v.string(), title: v.string(), source_tender_id: v.string() })),
  corrigenda: v.array(Corrigendum),
  /** Other portals with the same tender. */
  other_sources: v.array(OtherSource),
  /** 0 to 1: how sure the derived district is. */
  district_confidence: v.nullable(v.number()),
  version: v.number(),
  updated_at: instant,
});
export type Tender = v.InferOutput<typeof Tender>;

/** Number of open tenders of one state. An empty answer offers such states. */
export const StateCount = v.object({ state: v.string(), slug: v.string(), open: v.number() });
export type StateCount = v.InferOutput<typeof StateCount>;

/** A tender of a list. In a search for words it shows whether it has all of them. */
export const ListedTender = v.object({
  ...TenderSummary.entries,
  matches: v.optional(v.picklist(['all', 'most'])),
  /**
   * For a list of notices: the ids of the other matches of the same NIT, in the order of the list. Absent from other lists.
   */
  works: v.optional(v.array(v.string())),
});
export type ListedTender = v.InferOutput<typeof ListedTender>;

/** A word of a search with its alternatives. Each is one or more terms joined by a space; '*' marks a prefix. */
export const SearchedWord = v.object({ typed: v.string(), alternatives: v.array(v.string()) });
export type SearchedWord = v.InferOutput<typeof SearchedWord>;

/** A search near one that found nothing: a wider place, closed tenders, fewer words. */
export const NearestSearch = v.object({
  kind: v.picklist(['state', 'anywhere', 'filters', 'closed', 'words']),
  /** The wider state, or the words that are kept. */
  name: v.string(),
  /** The query of its URL in the app. */
  query: v.string(),
  /** Number of tenders. 10,001 means more than 10,000. */
  total: v.number(),
});
export type NearestSearch = v.InferOutput<typeof NearestSearch>;

/** The place that was read in the words of a query. Its tenders are in `state` and, if any, in one of `districts`. */
export const QueryPlace = v.object({
  state: v.nullable(v.string()),
  districts: v.array(v.object({ state: v.string(), district: v.string() })),
  /** The words that were read as the place, as typed. */
  text: v.string(),
  /** The query without these words. */
  rest: v.string(),
});
export type QueryPlace = v.InferOutput<typeof QueryPlace>;

/** What a condition asks for. */
const ConditionFacts = v.object({
  /** Rupees or Indian days from and to, both included. */
  from: v.nullable(v.number()),
  to: v.nullable(v.number()),
  /** A category, or what is left out. */
  names: v.array(v.object({ text: v.string(), isPlace: v.boolean() })),
});
export type ConditionFacts = v.InferOutput<typeof ConditionFacts>;

/** A condition that was read in the words of a query, such as 'below 10 lakh'. */
export const QueryCondition = v.object({
  kind: v.string(),
  /** 'Value up to ₹10 Lakh', in English. Shown when there are no facts or the kind is new. */
  label: v.string(),
  facts: v.optional(ConditionFacts),
  /** The words that were read as the condition, as typed. */
  text: v.string(),
  /** The query without these words. */
  rest: v.string(),
});
export type QueryCondition = v.InferOutput<typeof QueryCondition>;

/**
 * Answer of every tender list. `data` is the same array as `tenders` (R4). The server's clock decides what is open. It is
 * in the `Date` header, because with the time in its body an answer could never be 304.
 */
export const TenderListResponse = v.object({
  tenders: v.array(ListedTender),
  data: v.array(ListedTender),
  /** Number of matching tenders, with all words or with most words. Fewer rows may be sent. */
  total: v.number(),
  /**
   * True when more closed tenders match than `total`, where counting stops. They are ordered by closing instead of `sort`, and
   * pages after `total` are empty.
   */
  has_more: v.optional(v.boolean()),
  /** Tenders with all words. */
  total_full: v.number(),
  /**
   * For a list of notices: the number of NITs among the matches. A tender without an NIT counts as one. `page` and `limit`
   * count NITs, and each row is the first tender of its NIT. Absent from other lists.
   */
  notices: v.optional(v.number()),
  /** For a list of notices: the number of tenders on earlier pages; 0 after the last page. */
  before: v.optional(v.number()),
  page: v.number(),
  /** Rows per page; null when all rows were requested (at most 1,000 are sent). */
  limit: v.nullable(v.number()),
  /** The resolved filter, with listed names instead of slugs and aliases. */
  filter: v.object({
    state: v.nullable(v.string()),
    /** Null when there are several. */
    district: v.nullable(v.string()),
    department: v.nullable(v.string()),
    districts: v.array(v.string()),
    departments: v.array(v.string()),
    q: v.nullable(v.string()),
  }),
  /** The place that was found in the words; null without one. */
  place: v.nullable(QueryPlace),
  /** The conditions that were found in the words, in their order. */
  conditions: v.array(QueryCondition),
  /** The text that was searched instead of a misspelt one: "Showing results for …". */
  showing_for: v.nullable(v.string()),
  /** The searched words, to mark them in the rows. */
  words: v.array(SearchedWord),
  /** Similar searches when nothing was found, each with its number of tenders. */
  nearest: v.optional(v.array(NearestSearch)),
  /** States with open tenders, only when nothing was found. */
  states: v.optional(v.array(StateCount)),
  demonstration: v.boolean(),
  /** True while the server has not stored the terms of its version for all tenders. Some matches may be missing. */
  index_incomplete: v.optional(v.boolean()),
});
export type TenderListResponse = v.InferOutput<typeof TenderListResponse>;

/** Answer of `GET /api/tenders/listed`: the published tenders among the requested ids, in their order. */
export const ListedTendersResponse = v.object({ tenders: v.array(TenderSummary) });
export type ListedTendersResponse = v.InferOutput<typeof ListedTendersResponse>;

const countsByName = v.record(v.string(), v.number());

/**
 * Answer of `GET /api/facets`, which takes the query of the lists: the number of tenders of each district and each
 * department under all other filters. Names without tenders are left out.
 */
export const TenderFacetsResponse = v.object({ districts: countsByName, departments: countsByName });
export type TenderFacetsResponse = v.InferOutput<typeof TenderFacetsResponse>;

/** Closings of an Indian day, in order: minutes since midnight, or `UNKNOWN_MINUTE`, with the number of tenders. */
export const ClosingMinutes = v.array(v.tuple([v.number(), v.number()]));
export type ClosingMinutes = v.InferOutput<typeof ClosingMinutes>;

/** Answer of `GET /api/regions`: all 36, those without tenders included. */
export const RegionListResponse = v.object({
  states: v.array(
    v.object({
      ...StateCount.entries,
      demonstration: v.boolean(),
      /** Closings of `day`, including past ones. Absent if there are none. */
      closing: v.optional(ClosingMinutes),
      /** Open tenders published since the start of the day before. Absent if there are none. */
      fresh: v.optional(v.number()),
    }),
  ),
  /** The Indian day of `closing`, in days since 1970. */
  day: v.number(),
  /** When a tender was last compared with its portal; null before the first import. */
  fetched_at: v.nullable(instant),
});
export type RegionListResponse = v.InferOutput<typeof RegionListResponse>;

/** Answer of `GET /api/tenders/{id}`. */
export const TenderResponse = v.object({ tender: Tender });
export type TenderResponse = v.InferOutput<typeof TenderResponse>;

export const MAX_LIST_ROWS = 1_000;
export const MAX_QUERY_CHARACTERS = 100;

/** The kinds of purchase by which lists are filtered, in the portals' words. */
export const TENDER_CATEGORIES = ['Works', 'Goods', 'Services'] as const;
export type TenderCategory = (typeof TENDER_CATEGORIES)[number];
