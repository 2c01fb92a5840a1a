/** Column kinds of a segment index and their fields. */
import type { DetailRows, ListRows } from '@nivida/contract/sync/sync';
import { TENDER_FIELD_LIST, type TenderFieldKey } from '@nivida/contract/tenders/tender-fields';

/** Fields with few values, for filters and facets. A column stores codes of the index's names. */
export const NAME_COLUMNS = [
  'state',
  'district',
  'secondDistrict',
  'department',
  'category',
  'stage',
  'portal',
] as const satisfies readonly (keyof ListRows)[];
export type NameColumn = (typeof NAME_COLUMNS)[number];

/** Instants for filters: milliseconds since 1970, NaN for null. */
export const INSTANT_COLUMNS = ['publishedAt', 'bidStartAt', 'closesAt'] as const satisfies readonly (keyof ListRows)[];

/**
 * Fields that are only shown. A column stores numbers of the index's distinct JSON values, in order of
 * appearance. Fields with few values come first, so that their numbers fit into a byte.
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

/** Fields of the detail file. Their values are numbered before those of the list. */
const FIRST_DETAIL_VALUE_COLUMNS = [
  'tenderType',
  'formOfContract',
  'covers',
  'emdExemptionAllowed',
  'documentPackage',
  'otherSources',
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

type ListValueColumn = (typeof LIST_VALUE_COLUMNS)[number];
type DetailValueColumn = (typeof DETAIL_VALUE_COLUMNS)[number];
export type ValueColumn = ListValueColumn | DetailValueColumn;

export type ValueOf<Column extends ValueColumn> = (ListRows & DetailRows)[Column][number];

/** Bits of the column `flags`. */
export const CLOSING_TIME_KNOWN_FLAG = 1;
export const DEMONSTRATION_FLAG = 2;
export const LISTED_FLAG = 4;
