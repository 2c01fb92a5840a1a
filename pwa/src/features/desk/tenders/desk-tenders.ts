/** Tenders at the desk, and the texts of their fields. */
import { t } from '@lingui/core/macro';
import {
  type CorrectableField,
  DeskTenderList,
  type PLACE_EVIDENCE,
  TenderStages,
} from '@nivida/contract/desk/tenders';
import { formatDateTime, formatFullRupees } from '@nivida/contract/format';
import type { QueryResult } from '../../../data/server/query-cache.ts';
import { createDeskQuery, useDeskQuery } from '../data/desk-query.ts';
import { useAddressQuery } from '../list/useDeskParam.ts';

const listCache = createDeskQuery(DeskTenderList);
const tenderCache = createDeskQuery(TenderStages);

/** The tenders that the address of the list chooses. */
export const useDeskTenders = (): QueryResult<DeskTenderList> =>
  useDeskQuery(listCache, `tenders?${useAddressQuery('find', 'show')}`);

/** One tender through every stage. */
export const useTenderStages = (id: string): QueryResult<TenderStages> => useDeskQuery(tenderCache, `tenders/${id}`);

/** Kinds of values, which decide the control and the text of a field. */
export const FIELD_KINDS: Readonly<Record<CorrectableField, 'text' | 'instant' | 'rupees' | 'pincode'>> = {
  title: 'text',
  closing: 'instant',
  opening: 'instant',
  bid_start: 'instant',
  pre_bid: 'instant',
  value: 'rupees',
  emd: 'rupees',
  fee: 'rupees',
  pincode: 'pincode',
  district: 'text',
  department: 'text',
};

export const fieldLabel = (field: CorrectableField): string =>
  ({
    title: t`Title`,
    closing: t`Closing`,
    opening: t`Bid opening`,
    bid_start: t`Bid submission starts`,
    pre_bid: t`Pre-bid meeting`,
    value: t`Estimated value`,
    emd: 'EMD',
    fee: t`Tender fee`,
    pincode: t`PIN code`,
    district: t`District`,
    department: t`Department`,
  })[field];

/** A value as `CORRECTED_FIELDS` of the server writes it. */
export function fieldValueText(field: CorrectableField, value: string | null): string {
  if (value === null || value === '') return t`not specified`;
  const kind = FIELD_KINDS[field];
  if (kind === 'rupees') return formatFullRupees(value);
  if (kind !== 'instant') return value;
  const [at = ''] = value.split(' ');
  return at === value ? formatDateTime(at) : t`${{ date: formatDateTime(at) }}, hour not stated`;
}

/** What named the district, for example 'PIN 171001'. */
export function evidenceText({ from, text }: TenderStages['place']['evidence'][number]): string {
  const names: Record<(typeof PLACE_EVIDENCE)[number], string> = {
    pincode: t`PIN ${{ pincode: text }}`,
    title: t`title: “${{ text }}”`,
    description: t`description: “${{ text }}”`,
    place: t`place: “${{ text }}”`,
    address: t`address: “${{ text }}”`,
    organisation: t`office: “${{ text }}”`,
  };
  return names[from];
}
