/**
 * Documents that offices usually ask for. They are shown when a portal publishes no list. Counted in notices
 * since June 2025.
 */
import type { Tender } from '@nivida/contract/tenders/tender';

const COUNTED_STATE = 'Himachal Pradesh';

/** Kinds that more than a third of all notices of the state name. */
const OF_STATE = [
  'tender_fee',
  'emd',
  'enlistment',
  'pan',
  'gst_registration',
  'epf',
  'affidavit_correct',
  'tender_form',
  'machinery',
];

/**
 * Usual kinds of a department, if at least 100 of its notices name documents: 5,278, 1,755, 174 and 120
 * notices.
 */
const OF_DEPARTMENT = new Map([
  ['PWD', [...OF_STATE, 'experience', 'no_near_relative', 'work_in_hand']],
  [
    'Irrigation & Public Health',
    ['tender_fee', 'emd', 'enlistment', 'pan', 'gst_registration', 'epf', 'itr', 'undertaking', 'dsc_authorisation'],
  ],
  [
    'Municipal Corporation Shimla',
    [
      ...['tender_fee', 'emd', 'enlistment', 'pan', 'gst_registration', 'epf', 'itr', 'epf_return', 'gst_return'],
      ...['affidavit_other', 'bidder_details'],
    ],
  ],
  ['HIMUDA', [...OF_STATE, 'gst_return', 'itr', 'undertaking', 'experience', 'work_in_hand']],
]);

/** A list of kinds and the offices that usually ask for them. */
export interface UsualList {
  /** 'PWD, Himachal Pradesh' */
  name: string;
  kinds: readonly string[];
}

/** The usual list of a tender's department. Without one, the list of the only state with counts. */
export function usualList({ state, department }: Pick<Tender, 'state' | 'department'>): UsualList {
  const kinds = state === COUNTED_STATE ? OF_DEPARTMENT.get(department ?? '') : undefined;
  if (kinds) return { name: `${department}, ${COUNTED_STATE}`, kinds };
  return { name: COUNTED_STATE, kinds: OF_STATE };
}
