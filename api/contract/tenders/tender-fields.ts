/**
 * Fields of a tender that are only imported, stored, sent and shown. They have no filter and no column codec of their own.
 * This table defines them for SQL column lists, the history of changes, the API's schema, sync files, the device's packs
 * and the detail screen.
 */

import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

interface TenderField {
  /** The name in API answers and of the column in the table `tender`. */
  name: string;
  /** `rupees` is text with two decimals. */
  type: 'text' | 'number' | 'rupees' | 'boolean';
  /** The column of portal files, for messages to the operator. */
  source: string;
  /** The fact on the detail screen; absent where other facts contain the field. */
  fact?: { group: FactGroup; label: MessageDescriptor; format?: FactFormat };
  /** Set for fields added after version 1.0. Servers, apps and packs of that version do not have them. */
  later?: true;
}
/** A place on the detail screen: `work` in the overview, the others under bidding. */
export type FactGroup = 'work' | 'fees' | 'conditions' | 'offices';
/** How a value is shown; texts are shown as they are. `listed`: a value of a portal's list. */
export type FactFormat = 'days' | 'listed' | 'covers' | 'fee' | 'exemption';

export const TENDER_FIELDS = {
  address: { name: 'address', type: 'text', source: 'Address' },
  place: { name: 'place', type: 'text', source: 'Location' },
  pincode: { name: 'pincode', type: 'text', source: 'Pincode' },
  subCategory: { name: 'sub_category', type: 'text', source: 'Product Category' },
  tenderType: {
    name: 'tender_type',
    type: 'text',
    source: 'Tender Type',
    fact: { group: 'work', label: msg`Tender type`, format: 'listed' },
  },
  formOfContract: {
    name: 'form_of_contract',
    type: 'text',
    source: 'Form of contract',
    fact: { group: 'work', label: msg`Form of contract`, format: 'listed' },
  },
  periodOfWorkDays: {
    name: 'period_of_work_days',
    type: 'number',
    source: 'Period Of Work',
    fact: { group: 'work', label: msg`Period of work`, format: 'days' },
  },
  bidValidityDays: {
    name: 'bid_validity_days',
    type: 'number',
    source: 'Bid Validity',
    fact: { group: 'work', label: msg`Bid validity`, format: 'days' },
  },
  covers: {
    name: 'covers',
    type: 'number',
    source: 'No. of Covers',
    fact: { group: 'fees', label: msg`Covers`, format: 'covers' },
  },
  tenderFee: {
    name: 'tender_fee',
    type: 'rupees',
    source: 'Tender Fee',
    fact: { group: 'fees', label: msg`Tender fee`, format: 'fee' },
  },
  emdPercent: { name: 'emd_percent', type: 'number', source: 'EMD Percentage' },
  emdExemptionAllowed: {
    name: 'emd_exemption_allowed',
    type: 'boolean',
    source: 'EMD Exemption Allowed',
    fact: { group: 'conditions', label: msg`EMD exemption`, format: 'exemption' },
  },
  preBidPlace: { name: 'pre_bid_place', type: 'text', source: 'Pre Bid Meeting Place' },
  bidOpeningPlace: {
    name: 'bid_opening_place',
    type: 'text',
    source: 'Bid Opening Place',
    fact: { group: 'offices', label: msg`Opening place` },
  },
  contactDesignation: {
    name: 'contact_designation',
    type: 'text',
    source: 'Name',
    fact: { group: 'offices', label: msg`Contact` },
  },
} as const satisfies Record<string, TenderField>;

type Fields = typeof TENDER_FIELDS;
/** A field by its name in code. */
export type TenderFieldKey = keyof Fields;
/** Fields that are absent in objects of an earlier version. */
export type LaterFieldKey = {
  [Key in TenderFieldKey]: Fields[Key] extends { later: true } ? Key : never;
}[TenderFieldKey];
type ValueTypes = { text: string; number: number; rupees: string; boolean: boolean };
/** The values by the names in code. */
export type TenderFieldValues = { [Key in TenderFieldKey]: ValueTypes[Fields[Key]['type']] | null };

/** The table as a list. */
export const TENDER_FIELD_LIST = Object.entries(TENDER_FIELDS).map(([key, field]) => ({
  key: key as TenderFieldKey,
  ...(field as TenderField),
}));
