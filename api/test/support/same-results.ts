/** The same searches on the server and on the device's engine. */
import { parseListQuery } from '@nivida/contract/filter/tender-filter';
import { listedPlace } from '@nivida/contract/regions/regions';
import type { DetailRows, ListRows } from '@nivida/contract/sync/sync';
import { expect } from 'vitest';
import type { Engine } from '../../../pwa/src/offline/engine/engine.ts';
import type { EngineAnswer } from '../../../pwa/src/offline/engine/query.ts';
import { buildSegmentIndex } from '../../../pwa/src/offline/segments/build-segment-index.ts';
import type { TestRow } from '../../../pwa/src/offline/test-data/test-rows.ts';
import type { TestApp } from './start-app.ts';

export type Params = Record<string, string | number | string[]>;

export function toUrl(params: Params): URLSearchParams {
  const url = new URLSearchParams();
  for (const [name, values] of Object.entries(params))
    for (const value of [values].flat()) url.append(name, String(value));
  return url;
}

/** All published tenders as sent to devices. */
export async function readRows(app: TestApp, now: Date): Promise<TestRow[]> {
  const ms = (column: string) => `(extract(epoch FROM t.${column}) * 1000)::float8`;
  const rows: { row: TestRow }[] = await app.database.dataSource.query(
    `SELECT json_build_object('id', t.id, 'title', t.title, 'orgName', t.organisation_chain->>0, 'state', t.state,
       'district', t.district, 'secondDistrict', t.second_district, 'isListed', nullif(t.is_listed, false), 'department', t.department, 'category', t.category, 'price', t.price::text,
       'priceText', t.price_text, 'emd', t.emd::text, 'publishedAt', ${ms('published_at')},
       'bidStartAt', ${ms('bid_start_at')}, 'closesAt', ${ms('closes_at')}, 'closingTimeKnown', t.closing_time_known,
       'stage', t.stage, 'lastCorrigendum', t.last_corrigendum, 'demonstration', t.origin <> 'portal',
       'portal', t.portal, 'sourceTenderId', t.source_id, 'nitWorks', 1)::jsonb ||
     json_build_object('description', CASE WHEN t.description = t.title THEN '' ELSE t.description END,
       'reference', t.reference, 'nitId', t.nit_key, 'organisationChain', t.organisation_chain, 'address', t.address,
       'place', t.place, 'pincode', t.pincode, 'bidOpeningPlace', t.bid_opening_place,
       'contactDesignation', t.contact_designation, 'subCategory', t.sub_category, 'tenderType', t.tender_type,
       'formOfContract', t.form_of_contract, 'covers', t.covers, 'tenderFee', t.tender_fee::text,
       'emdPercent', t.emd_percent, 'emdExemptionAllowed', t.emd_exemption_allowed,
       'periodOfWorkDays', t.period_of_work_days, 'bidValidityDays', t.bid_validity_days, 'opensAt', ${ms('opens_at')},
       'preBidAt', ${ms('pre_bid_at')}, 'preBidPlace', t.pre_bid_place, 'documents', t.documents,
       'corrigenda', coalesce((SELECT json_agg(json_build_object('title', c.title, 'type', c.type,
         'noticed_at', c.noticed_at, 'changes', c.changes) ORDER BY c.id DESC) FROM corrigendum c WHERE c.tender_id = t.id), '[]'), 'districtConfidence', t.district_confidence, 'version', t.version,
       'updatedAt', ${ms('updated_at')})::jsonb AS row
     FROM tender t WHERE t.published_at <= $1`,
    [now],
  );
  return rows.map(({ row }) => row);
}

/** A pack of these rows; both files are built from the same rows and read only their own fields. */
export function packRows(rows: readonly TestRow[]): ArrayBuffer {
  const fields = Object.keys(rows[0] ?? {}) as (keyof TestRow)[];
  const columns = Object.fromEntries(fields.map((field) => [field, rows.map((row) => row[field])]));
  return buildSegmentIndex(columns as unknown as ListRows, columns as unknown as DetailRows);
}

/** Asks both sides, expects the same tenders, order, totals, reading and facets, and gives the device's answer. */
export async function expectSameResults(
  app: TestApp,
  engine: Engine,
  url: URLSearchParams,
  now: Date,
): Promise<EngineAnswer> {
  const { status, json } = await app.get(`/api/tenders?${url}`);
  expect(status, url.toString()).toBe(200);
  const notices = url.get('notices') === '1';
  const answer = engine.search({ ...listedPlace(parseListQuery(url)), limit: Number(url.get('limit')), notices }, now);
  const facets = await app.get(`/api/facets?${url}`);
  const ids = (tenders: { _id: string; matches?: string; works?: string[] }[]) =>
    tenders.map(({ _id, matches, works }) => [_id, matches, works]);
  expect({
    asked: url.toString(),
    total: answer.total,
    notices: answer.notices,
    before: answer.before,
    full: answer.fullTotal,
    place: answer.place,
    conditions: answer.conditions,
    words: answer.words,
    showingFor: answer.showingFor,
    demonstration: answer.demonstration,
    ids: ids(answer.tenders),
    facets: answer.facets,
  }).toEqual({
    asked: url.toString(),
    total: json.total,
    notices: json.notices,
    before: json.before,
    full: json.total_full,
    place: json.place,
    conditions: json.conditions,
    words: json.words,
    showingFor: json.showing_for,
    demonstration: json.demonstration,
    ids: ids(json.tenders),
    facets: facets.json,
  });
  return answer;
}
