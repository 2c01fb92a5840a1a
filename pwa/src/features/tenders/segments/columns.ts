/** Which fields of a tender lie in which kind of column of a pack. */
import type { DetailRows, ListRows } from '@nivida/contract/sync/sync';
import { TENDER_FIELD_LIST, type TenderFieldKey } from '@nivida/contract/tenders/tender-fields';

/** Few values, which filters compare and facets count: codes of the pack's names. */
export const NAME_COLUMNS = [
  'state',
  'district',
  'department',
  'category',
  'stage',
  'portal',
] as const satisfies readonly (keyof ListRows)[];
export type NameColumn = (typeof NAME_COLUMNS)[number];

/** Instants that filters compare: milliseconds since 1970, NaN for null. */
export const INSTANT_COLUMNS = ['publishedAt', 'bidStartAt', 'closesAt'] as const satisfies readonly (keyof ListRows)[];

/**
 * Fields that are only shown: numbers of the pack's values, each of which stands there once as JSON. Values are numbered
 * as they come, so fields with few values stand first: their numbers fit a byte.
 */
export const LIST_VALUE_COLUMNS = [
  'lastCorrigendum',
  'nitWorks',
  'priceText',
  'orgName',
  'emd',
  'title',
  'sourceTenderId',
] as const satisfies readonly (keyof ListRows)[];

/** The same of the detail file; they are numbered before those of the list. */
const FIRST_DETAIL_VALUE_COLUMNS = [
  'tenderType',
  'formOfContract',
  'covers',
  'emdExemptionAllowed',
  'documentPackage',
  'version',
  'bidValidityDays',
  'emdPercent',
  'districtConfidence',
  'periodOfWorkDays',
  'tenderFee',
  'subCategory',
  'preBidAt',
  'preBidPlace',
  'contactDesignation',
  'documents',
  'corrigenda',
  'pincode',
  'opensAt',
  'updatedAt',
  'place',
  'bidOpeningPlace',
  'address',
  'organisationChain',
  'nitId',
  'reference',
  'description',
] as const satisfies readonly Exclude<keyof DetailRows, 'id'>[];
export const DETAIL_VALUE_COLUMNS = [
  ...new Set<(typeof FIRST_DETAIL_VALUE_COLUMNS)[number] | TenderFieldKey>([
    ...FIRST_DETAIL_VALUE_COLUMNS,
    ...TENDER_FIELD_LIST.map(({ key }) => key),
  ]),
];

export type ListValueColumn = (typeof LIST_VALUE_COLUMNS)[number];
export type DetailValueColumn = (typeof DETAIL_VALUE_COLUMNS)[number];
export type ValueColumn = ListValueColumn | DetailValueColumn;

/** What a field of a value column holds. */
export type ValueOf<Column extends ValueColumn> = (ListRows & DetailRows)[Column][number];

/** Bits of the column `flags`. */
export const CLOSING_TIME_KNOWN_FLAG = 1;
export const DEMONSTRATION_FLAG = 2;
