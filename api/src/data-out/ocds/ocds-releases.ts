/** Releases and records by OCDS 1.1 of exported tenders. docs/data.md names the fields and what is left out. */
import { FILE_TYPE_MEDIA } from './file-media.ts';
import type { ExportedRow } from './ocds-export.sql.ts';
import { isoTime, presentState, type TenderState, tenderStates } from './tender-states.ts';

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined };
type Content = { readonly [key: string]: Json | undefined };
/** A release as JSON. */
export type ExportedRelease = Content & { ocid: string; id: string; date: string };

/** A process as JSON by the schema of records, without packages. */
export type ExportedRecord = {
  ocid: string;
  releases: ExportedRelease[];
  compiledRelease: ExportedRelease;
};

const OCID_PATTERN = /^ocds-[a-z0-9]{6}-/i;
/** Changes of these columns amend the terms of a tender. */
const AMENDING_COLUMNS = ['closes_at', 'opens_at', 'bid_start_at', 'price', 'emd', 'documents'];
const STATUS_OF_STAGE: Readonly<Record<string, string>> = {
  published: 'active',
  under_evaluation: 'complete',
  awarded: 'complete',
  cancelled: 'cancelled',
  retendered: 'cancelled',
};
const METHODS: Readonly<Record<string, string>> = { 'Open Tender': 'open', Limited: 'limited', Single: 'direct' };
const FOREIGN_AMOUNT = /^([A-Z]{3}) ([\d,]+(?:\.\d+)?)$/;

/** The id of a tender's process: that of its publisher, or the operator's prefix with portal and portal id. */
export const ocidOf = (
  { portal, source_id: sourceId }: Pick<ExportedRow, 'portal' | 'source_id'>,
  prefix: string,
): string => (OCID_PATTERN.test(String(sourceId)) ? String(sourceId) : `${prefix}-${portal}-${sourceId}`);

/** The record of a tender: a release for each change, oldest first, and the present state. */
export function toOcdsRecord(row: ExportedRow, prefix: string): ExportedRecord {
  const ocid = ocidOf(row, prefix);
  const releases: ExportedRelease[] = [];
  let before: Content | undefined;
  const states = tenderStates(row);
  for (const [index, { no, at, state, changed }] of states.entries()) {
    const isLast = index === states.length - 1;
    const content = releaseContent(ocid, row, state, isLast ? undefined : at);
    const tag = index === 0 ? 'tender' : tagOf(state, changed);
    releases.push({ ...head(ocid, no, at, [tag]), ...(before ? withRemovals(before, content) : content) });
    before = content;
  }
  const { award } = row;
  const awards = award && awardContent(award);
  if (award && awards) {
    const date = latest(isoTime(award.at), releases.at(-1)?.date);
    releases.push({ ...head(ocid, `award-${award.id}`, date, ['award']), ...awards });
  }
  const date = releases.at(-1)?.date ?? row.updated_at.toISOString();
  const compiled = { ...releaseContent(ocid, row, presentState(row)), ...awards };
  return { ocid, releases, compiledRelease: { ...head(ocid, 'compiled', date, ['compiled']), ...compiled } };
}

const head = (ocid: string, part: string, date: string, tag: string[]) => ({
  ...{ ocid, id: `${ocid}-${part}`, date, tag },
  ...{ initiationType: 'tender', language: 'en' },
});

const latest = (at: string, other = at): string => (Date.parse(other) > Date.parse(at) ? other : at);

function tagOf(state: TenderState, changed: readonly string[]): string {
  if (changed.includes('stage') && STATUS_OF_STAGE[String(state.stage)] === 'cancelled') return 'tenderCancellation';
  return changed.some((column) => AMENDING_COLUMNS.includes(column)) ? 'tenderAmendment' : 'tenderUpdate';
}

/** What a release states of a tender in a state. `until`: corrigenda that were noticed later are left out. */
function releaseContent(ocid: string, row: ExportedRow, state: TenderState, until?: string): Content {
  const text = (column: string) => (state[column] ?? undefined) as string | undefined;
  const chain = state.organisation_chain as string[];
  const office = chain.at(-1);
  const documents = state.documents as { cover: string; type: string; name: string }[];
  const corrigenda = (row.corrigenda ?? []).filter(({ at }) => !until || Date.parse(at) <= Date.parse(until));
  const method = METHODS[text('tender_type') ?? ''];
  const category = text('category')?.toLowerCase();
  const amendments = corrigenda.map(({ id, title, type, at, moves }) => ({
    ...{ id: String(id), date: isoTime(at), rationale: title },
    // Our own entries have no type. A moved closing would not be known as one.
    type: type ?? (moves ? 'Date' : undefined),
  }));
  const fees = [...fee('emd', 'deposit', text('emd')), ...fee('tender-fee', 'document', text('tender_fee'))];
  const items = [
    ...(text('sub_category') ? [{ id: 'category', classification: { description: text('sub_category') } }] : []),
    ...(row.boq ?? []).map(({ no, description, quantity, unit }) => ({
      ...{ id: `boq-${no}`, description, quantity: quantity === null ? undefined : Number(quantity) },
      ...(unit && { unit: { name: unit } }),
    })),
  ];
  return {
    parties: [
      { id: 'buyer', name: chain[0], roles: ['buyer'] },
      {
        ...{ id: 'office', name: office, roles: ['procuringEntity'] },
        address: withoutEmpty({
          ...{ streetAddress: text('address'), locality: text('place'), region: text('state') },
          ...{ postalCode: text('pincode'), countryName: 'India' },
        }),
        ...(text('contact_designation') && { contactPoint: { name: text('contact_designation') } }),
      },
    ],
    buyer: { id: 'buyer', name: chain[0] },
    tender: withoutEmpty({
      // Without a reference of the portal the id of the process is that of its tender.
      id: text('reference') ?? ocid,
      title: text('title'),
      description: text('description'),
      status: STATUS_OF_STAGE[String(state.stage)],
      procuringEntity: { id: 'office', name: office },
      value: estimate(text('price'), text('price_text')),
      procurementMethod: method,
      procurementMethodDetails: text('tender_type'),
      mainProcurementCategory:
        category === 'works' || category === 'goods' || category === 'services' ? category : undefined,
      datePublished: text('published_at'),
      tenderPeriod: withoutEmpty({ startDate: text('bid_start_at'), endDate: text('closes_at') }),
      contractPeriod: lengthOf(state.period_of_work_days as number | null),
      bidOpening: withoutEmpty({
        date: text('opens_at'),
        address: text('bid_opening_place') ? { streetAddress: text('bid_opening_place') } : undefined,
      }),
      milestones: text('pre_bid_at')
        ? [{ id: 'pre-bid', title: 'Pre-bid meeting', type: 'engagement', dueDate: text('pre_bid_at') }]
        : undefined,
      participationFees: fees.length > 0 ? fees : undefined,
      documents:
        documents.length > 0
          ? documents.map(({ cover, type, name }, index) =>
              stated({
                ...{ id: String(index + 1), documentType: cover || undefined, title: name || undefined },
                format: FILE_TYPE_MEDIA[type] ?? (type || undefined),
              }),
            )
          : undefined,
      items: items.length > 0 ? items : undefined,
      amendments: amendments.length > 0 ? amendments : undefined,
    }),
    nivida: withoutEmpty({
      portal: String(row.portal),
      sourceId: String(row.source_id),
      organisationChain: chain,
      address: text('address'),
      place: text('place'),
      pincode: text('pincode'),
      subCategory: text('sub_category'),
      tenderType: text('tender_type'),
      formOfContract: text('form_of_contract'),
      emdPercent: state.emd_percent === null ? undefined : String(state.emd_percent),
      emdExemptionAllowed: (state.emd_exemption_allowed ?? undefined) as boolean | undefined,
      covers: (state.covers ?? undefined) as number | undefined,
      bidValidityDays: (state.bid_validity_days ?? undefined) as number | undefined,
      preBidPlace: text('pre_bid_place'),
      closingTimeKnown: state.closing_time_known as boolean,
      stage: text('stage'),
      ...(row.is_listed === true && { isListed: true }),
    }),
  };
}

function awardContent({ id, on, value, bidders }: NonNullable<ExportedRow['award']>): Content {
  const award = { id: String(id), status: 'active', date: `${on}T00:00:00+05:30`, value: rupees(value ?? undefined) };
  return {
    awards: [stated(award)],
    ...(bidders > 0 && { bids: { statistics: [{ id: 'bids', measure: 'bids', value: bidders }] } }),
  };
}

const rupees = (amount: string | undefined) =>
  amount === undefined ? undefined : { amount: Number(amount), currency: 'INR' };

function estimate(price: string | undefined, foreign: string | undefined) {
  const [, currency, amount] = FOREIGN_AMOUNT.exec(foreign ?? '') ?? [];
  return currency && amount ? { amount: Number(amount.replaceAll(',', '')), currency } : rupees(price);
}

const lengthOf = (days: number | null) => (days === null ? undefined : { durationInDays: days });

const fee = (id: string, type: string, amount: string | undefined) =>
  amount === undefined ? [] : [{ id, type: [type], value: rupees(amount) }];

/** The object without undefined values; undefined when nothing is left. */
function withoutEmpty<Value extends { [key: string]: Json | undefined }>(value: Value): Value | undefined {
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return entries.length > 0 ? (Object.fromEntries(entries) as Value) : undefined;
}

/** The object without undefined values, for one that has an id. */
const stated = <Value extends { [key: string]: Json | undefined }>(value: Value) => withoutEmpty(value) as Value;

/** Keys that say what an entry of a list is. An entry without values still has them. */
const KEPT_KEYS = ['id', 'type'];

/** The later state with null for each value of the earlier one that it lacks: releases are merged, and null removes a value. */
function withRemovals(before: Content, after: Content): Content {
  return removedFrom(before, after) as Content;
}

function removedFrom(before: Json | undefined, after: Json | undefined): Json | undefined {
  if (isList(before) && (after === undefined || isList(after)) && before.every(hasId)) {
    const later = (after ?? []) as readonly Json[];
    const known = before as readonly { id: string }[];
    const find = (entries: readonly Json[], id: Json | undefined) =>
      entries.find((entry) => hasId(entry) && entry.id === id);
    return [
      ...later.map((entry) => removedFrom(hasId(entry) ? find(known, entry.id) : undefined, entry) ?? null),
      ...known.filter(({ id }) => !find(later, id)).map((entry) => removedFrom(entry, { id: entry.id }) ?? null),
    ];
  }
  if (isObject(before) && (after === undefined || isObject(after))) {
    const names = new Set([...Object.keys(before), ...Object.keys(after ?? {})]);
    const result: Record<string, Json | undefined> = {};
    for (const name of names) {
      const inner = removedFrom(before[name], after?.[name]);
      if (inner !== undefined && !(inner === null && KEPT_KEYS.includes(name))) result[name] = inner;
    }
    return result;
  }
  return after === undefined && before !== undefined ? null : after;
}

const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);
const isObject = (value: Json | undefined): value is { [key: string]: Json | undefined } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const hasId = (value: Json | undefined): value is { id: string } => isObject(value) && typeof value.id === 'string';
