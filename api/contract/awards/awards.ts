/**
 * Awards and the statistics of offices. Days are Indian, 'YYYY-MM-DD'. Prices are hundredths of a percent of the estimate:
 * -1000 is 10 % below it. Values that may not be shown are absent from every answer, so no client can show them.
 */
import * as v from 'valibot';
import { hasControlCharacters } from '../fields.ts';

/** Minimum awards for a range of an office's own. */
export const MIN_OFFICE_AWARDS = 10;
/** Minimum awards for a range of a department. */
export const MIN_DEPARTMENT_AWARDS = 20;
/** Minimum awards for a share ("1 in 7"), for winners, and for a choice of the explorer. */
export const MIN_SHARE_AWARDS = 20;
/** Maximum rows of a CSV file. The newest are first. */
export const MAX_CSV_AWARDS = 10_000;
/** Maximum past works of one state on a device. The newest are first. */
export const MAX_PACK_WORKS = 50_000;

const day = v.pipe(v.string(), v.isoDate());
const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** Why a range is not shown. */
const WITHHELD_REASONS = ['too-few', 'too-wide', 'past-ranges-wrong', 'rates-changed'] as const;

/** A part of a whole: 14 of 96. */
export const AwardShare = v.object({ count, of: count });
export type AwardShare = v.InferOutput<typeof AwardShare>;

/** A range from the 10th to the 90th percentile of past awards. For days to the contract it is from the 5th to the 95th. */
export const AwardRange = v.variant('isShown', [
  v.object({
    isShown: v.literal(true),
    /** `department`: the office has fewer than 10 awards of its own. */
    basis: v.picklist(['office', 'department']),
    /** Awards of the range, and those of the office itself. `officeAwards` is null on a device that does not store the office. */
    awards: count,
    officeAwards: v.nullable(count),
    low: v.number(),
    high: v.number(),
    /**
     * How many of the state's tenders of two past quarters were inside the range that was known when they were published. Null
     * when fewer than 40 tenders were tested, and for groups, whose ranges are not tested.
     */
    coverage: v.nullable(AwardShare),
  }),
  v.object({
    isShown: v.literal(false),
    reason: v.picklist(WITHHELD_REASONS),
    officeAwards: v.nullable(count),
    /** Tenders published from this day follow another rule. Only with `rates-changed`. */
    changedOn: v.nullable(day),
  }),
]);
export type AwardRange = v.InferOutput<typeof AwardRange>;

/** Whether a text can be the id of an office. */
export const isOfficeId = (id: string): boolean => /^[0-9a-f]{12}$/.test(id);

/** Many works at one price. */
export const PriceMass = v.object({ price: v.number(), count, of: count });
export type PriceMass = v.InferOutput<typeof PriceMass>;

/** An office with awards. */
export const OfficeReference = v.object({
  /** 12 hexadecimal digits; the same in every installation. */
  id: v.string(),
  /** `officeOf` gives the same key for the office's tenders. */
  key: v.string(),
  /** The last organisation of the chain, or 'PIN 781003'. */
  name: v.string(),
  /**
   * `pin`: only department and PIN code are known; such an office is never called a division. `department`: the whole
   * department (`departmentKey`), for tenders of its offices without awards; its counts are 0.
   */
  kind: v.picklist(['chain', 'pin', 'department']),
  department: v.string(),
  state: v.string(),
});
export type OfficeReference = v.InferOutput<typeof OfficeReference>;

const RefusedBids = v.object({ count, of: count, technical: count, notAdmitted: count });

/** The statistics of a group of awards without blending: of a state, a department, or a filter. */
export const GroupAwards = v.object({
  /** Known awards, with the days of the first and the newest of them. */
  awards: count,
  firstKnownOn: v.nullable(day),
  lastKnownOn: v.nullable(day),
  /** Whether the newest award is older than 12 months. Its age is then shown first. */
  isOld: v.boolean(),
  bidders: AwardRange,
  price: AwardRange,
  daysToContract: AwardRange,
  /** Bids that were refused before prices were opened; null below 20 awards. */
  refused: v.nullable(RefusedBids),
  /** Awarded works with one bidder; null below 20 awards. */
  singleBid: v.nullable(AwardShare),
});
export type GroupAwards = v.InferOutput<typeof GroupAwards>;

/** What happened at one office. The block of a tender and the page of an office show it. */
export const OfficeAwards = v.object({
  office: OfficeReference,
  /**
   * `awards`, `firstKnownOn` and `lastKnownOn` are about the 24 months before `computedOn`. For the kind `department`
   * `lastKnownOn` is that of the whole department.
   */
  ...GroupAwards.entries,
  /** Largest first. Empty when prices are withheld. */
  masses: v.array(PriceMass),
  refused: v.nullable(
    v.object({
      ...RefusedBids.entries,
      /** True only if past rates of offices predicted later ones, and this rate is clearly higher than the state's. */
      isMoreThanUsual: v.boolean(),
    }),
  ),
  /** Bids of the last 24 hours before closing; null below 20 awards with a known closing hour. */
  lateBids: v.nullable(AwardShare),
  computedOn: day,
  /** Generated awards; never mixed with real ones. */
  isDemonstration: v.boolean(),
});
export type OfficeAwards = v.InferOutput<typeof OfficeAwards>;

/** A winner. An award has null instead if the portal names none or the name is hidden. */
const AwardWinner = v.object({ name: v.string(), isCompany: v.boolean() });

/** One award in a list. */
export const AwardSummary = v.object({
  id: v.string(),
  title: v.string(),
  state: v.string(),
  department: v.nullable(v.string()),
  officeId: v.nullable(v.string()),
  category: v.nullable(v.string()),
  estimate: v.nullable(v.number()),
  awardedValue: v.nullable(v.number()),
  /** Awarded value against the estimate; null when it counts in no price statistic. */
  price: v.nullable(v.number()),
  bidders: count,
  publishedOn: v.nullable(day),
  closesOn: v.nullable(day),
  contractOn: v.nullable(day),
  /** The first day on which the award can be known; null when the source gives no usable date. */
  knownOn: v.nullable(day),
  /** Id of the tender when its notice is known. */
  tenderId: v.nullable(v.string()),
  isDemonstration: v.boolean(),
});
export type AwardSummary = v.InferOutput<typeof AwardSummary>;

/** Why an award counts in no statistic, or its value in no price statistic. */
const AWARD_EXCLUSIONS = [
  'no-organisation',
  'not-awarded',
  'bids-unknown',
  'no-dates',
  'published-after-closing',
  'awarded-before-closing',
  'open-too-long',
  'no-estimate',
  'no-value',
  'several-winners',
  'value-too-small',
  'estimate-too-small',
  'value-far-from-estimate',
  'other-currency',
] as const;
export type AwardExclusionReason = (typeof AWARD_EXCLUSIONS)[number];

/** Answer of `GET /api/awards/{id}`: the page of one award. */
export const AwardResponse = v.object({
  award: v.object({
    ...AwardSummary.entries,
    office: v.nullable(OfficeReference),
    sourceTenderId: v.string(),
    portal: v.string(),
    /** Shown together with the portal. */
    winner: v.nullable(AwardWinner),
    /** Bids by their outcome. Bidders who lost are never named. */
    bids: v.object({ accepted: count, refusedTechnical: count, notAdmitted: count, other: count }),
    exclusion: v.nullable(v.picklist(AWARD_EXCLUSIONS)),
    importedAt: v.string(),
  }),
});
export type AwardResponse = v.InferOutput<typeof AwardResponse>;

/** A work of the same office with nearly the same title. The old rate is history, not a forecast. */
export const SimilarWork = v.object({ ...AwardSummary.entries, likeness: v.picklist(['let-before', 'related']) });
export type SimilarWork = v.InferOutput<typeof SimilarWork>;

/** Answer of `GET /api/tenders/{id}/similar-works`, most alike first; empty when none is alike enough. */
export const SimilarWorksResponse = v.object({ works: v.array(SimilarWork) });
export type SimilarWorksResponse = v.InferOutput<typeof SimilarWorksResponse>;

/** Answer of `GET /api/tenders/{id}/office`. `office` is null when no award of its office or department is known. */
export const TenderOfficeResponse = v.object({
  office: v.nullable(OfficeAwards),
  /** The tender's own result. */
  award: v.nullable(AwardSummary),
  /** Whether any award of the tender's state is known. If not, the app shows "no data for this state yet". */
  stateHasAwards: v.boolean(),
});
export type TenderOfficeResponse = v.InferOutput<typeof TenderOfficeResponse>;

/** Awards known in one quarter, oldest first. Medians are null below 20 values. */
export const AwardQuarter = v.object({
  /** '2026-Q1'. */
  quarter: v.string(),
  awards: count,
  bidders: v.nullable(v.number()),
  price: v.nullable(v.number()),
  daysToContract: v.nullable(v.number()),
});
export type AwardQuarter = v.InferOutput<typeof AwardQuarter>;

/** A change of price rules: curated, entered by the operator, or detected. Changes after `computedOn` are absent, because they have no effect yet. */
export const RegimeNotice = v.object({
  /** Null: all departments of the state. */
  department: v.nullable(v.string()),
  from: day,
  /** The rule and its source as published; null when only the awards show the change. */
  rule: v.nullable(v.string()),
  source: v.nullable(v.string()),
});
export type RegimeNotice = v.InferOutput<typeof RegimeNotice>;

/**
 * How many tenders of the last two quarters were inside the range that was known when they were published. Below 75 % the
 * ranges are withheld.
 */
export const CoverageNotice = v.object({
  statistic: v.picklist(['bidders', 'price', 'daysToContract']),
  covered: count,
  of: count,
  isTooLow: v.boolean(),
});
export type CoverageNotice = v.InferOutput<typeof CoverageNotice>;

/** Answer of `GET /api/awards`: the states with awards, most awards first. Empty before the first import. */
export const AwardStatesResponse = v.object({
  states: v.array(
    v.object({
      state: v.string(),
      awards: count,
      offices: count,
      lastKnownOn: v.nullable(day),
      isDemonstration: v.boolean(),
      /** Version of the statistics. If it differs from that of a device's pack, the pack is old. */
      version: v.nullable(v.string()),
    }),
  ),
});
export type AwardStatesResponse = v.InferOutput<typeof AwardStatesResponse>;

/** Bands of the estimate in rupees, from a lower bound up to but not including the upper one. */
export const VALUE_BANDS = {
  'up-to-5-lakh': [0, 500_000],
  '5-to-25-lakh': [500_000, 2_500_000],
  '25-lakh-to-1-crore': [2_500_000, 10_000_000],
  'over-1-crore': [10_000_000, null],
} as const satisfies Record<string, readonly [number, number | null]>;
export type ValueBand = keyof typeof VALUE_BANDS;

const filterText = v.optional(
  v.pipe(
    v.string(),
    v.trim(),
    v.maxLength(300, 'At most 300 characters'),
    v.check((text) => !hasControlCharacters(text), 'Line breaks and control characters are not allowed'),
    v.check((text) => text.isWellFormed(), 'This is no text'),
  ),
  '',
);

/** Query of `GET /api/awards/states/{state}`; empty: all. */
export const AwardGroupQuery = v.object({
  department: filterText,
  district: filterText,
  category: filterText,
  band: v.optional(v.picklist(['', ...(Object.keys(VALUE_BANDS) as ValueBand[])]), ''),
});
export type AwardGroupQuery = v.InferOutput<typeof AwardGroupQuery>;

/** A choice of the explorer with its awards in 24 months. Choices with fewer than 20 are absent. */
export const AwardChoice = v.object({ name: v.string(), awards: count });
export type AwardChoice = v.InferOutput<typeof AwardChoice>;

/** For a list of choices: all awards, and those without a value. The remaining awards belong to choices that are not listed. */
const ListCount = v.object({ of: count, unnamed: count });

/**
 * The stored awards of a selection. `recent` ones are from the 24 months up to `computedOn`; figures and lists count these.
 * `excluded` ones count in no statistic. `recent + older + newer + excluded = stored`.
 */
const AwardCounts = v.object({
  stored: count,
  recent: count,
  older: count,
  newer: count,
  excluded: count,
  /** Departments are counted for the state; districts and categories for the chosen department. */
  lists: v.object({ departments: ListCount, districts: ListCount, categories: ListCount }),
});
export type AwardCounts = v.InferOutput<typeof AwardCounts>;

/** Answer of `GET /api/awards/states/{state}`. NOT_FOUND for a state or a department without awards. */
export const AwardGroupResponse = v.object({
  state: v.string(),
  filter: AwardGroupQuery,
  group: GroupAwards,
  quarters: v.array(AwardQuarter),
  /** Departments of the state, most awards first. */
  departments: v.array(AwardChoice),
  districts: v.array(AwardChoice),
  categories: v.array(AwardChoice),
  /** Offices of the chosen department, most awards first; empty without a department. */
  offices: v.array(v.object({ ...OfficeReference.entries, awards: count, lastKnownOn: v.nullable(day) })),
  regimes: v.array(RegimeNotice),
  coverage: v.array(CoverageNotice),
  portals: v.array(v.string()),
  computedOn: day,
  isDemonstration: v.boolean(),
  counts: v.nullable(AwardCounts),
});
export type AwardGroupResponse = v.InferOutput<typeof AwardGroupResponse>;

/** Answer of `GET /api/awards/offices/{id}`: the page of an office. */
export const OfficeResponse = v.object({
  statistics: OfficeAwards,
  quarters: v.array(AwardQuarter),
  /** The newest 20. */
  newest: v.array(AwardSummary),
  /** Companies with at least two awards here in 24 months, most awards first; empty below 20 awards. Never persons. */
  companies: v.array(v.object({ name: v.string(), awards: count })),
  regimes: v.array(RegimeNotice),
  portals: v.array(v.string()),
});
export type OfficeResponse = v.InferOutput<typeof OfficeResponse>;

/**
 * Answer of `GET /api/awards/packs/{state}`: the statistics of a state's departments and of its offices with 10 awards. A
 * device stores it with the state's pack, and `unpackOffice` reads it. It is old if the list of states has another version.
 * NOT_FOUND for a state without awards.
 */
export const AwardPack = v.object({
  state: v.string(),
  version: v.string(),
  offices: count,
  columns: v.record(v.string(), v.array(v.unknown())),
});
export type AwardPack = v.InferOutput<typeof AwardPack>;

/**
 * Answer of `GET /api/awards/packs/{state}/works`: the past works among which a device finds similar ones, in columns,
 * newest first. A device loads it at the user's request. `office` is an index of `offices`, which has ids.
 */
export const AwardWorksPack = v.object({
  state: v.string(),
  version: v.string(),
  offices: v.array(v.string()),
  works: v.object({
    office: v.array(count),
    id: v.array(v.string()),
    /** The tender of the award when its notice is known. */
    tenderId: v.array(v.nullable(v.string())),
    title: v.array(v.string()),
    estimate: v.array(v.number()),
    price: v.array(v.nullable(v.number())),
    knownOn: v.array(v.nullable(day)),
  }),
});
export type AwardWorksPack = v.InferOutput<typeof AwardWorksPack>;

/**
 * Answer of `GET /api/followed-offices`, and of `PUT` and `DELETE /api/followed-offices/{id}`, with a session; newest first.
 * `PUT`: NOT_FOUND for an office without awards, CONFLICT above 50 offices. The user gets notices of kind `office` about new
 * tenders and results of a followed office, while a plan or the trial covers its state.
 */
export const FollowedOfficesResponse = v.object({
  offices: v.array(v.object({ ...OfficeReference.entries, followedAt: v.string() })),
});
export type FollowedOfficesResponse = v.InferOutput<typeof FollowedOfficesResponse>;

/** Columns of `GET /api/awards/offices/{id}.csv` and `/api/awards/states/{state}.csv` (with the query of the page). */
export const AWARD_CSV_COLUMNS = [
  'portal',
  'tender_id',
  'title',
  'department',
  'office',
  'category',
  'estimate',
  'awarded_value',
  'percent_of_estimate',
  'bidders',
  'refused_technical',
  'not_admitted',
  'published_on',
  'closes_on',
  'contract_on',
  'known_on',
  'counts_in_statistics',
  'reason_if_not',
] as const;
