/** Fills a database with generated tenders, the same ones in every run, within seconds. */
import { REGIONS } from '@nivida/contract/regions/regions';
import type { DataSource, QueryRunner } from 'typeorm';

/** A state, district and department by their listed names. */
export interface MeasuredPlace {
  state: string;
  district: string;
  department: string;
}

/** Tenders of each measured place, at every table size. */
const ROWS_OF_MEASURED = 200;

/** One place of each state. At every size it has the same 200 tenders, spread over the whole table. */
export const MEASURED_PLACES: readonly MeasuredPlace[] = REGIONS.map(({ state, districts, departments }) => ({
  state: state.name,
  district: districts[0]?.name ?? '',
  department: departments[0]?.name ?? '',
}));

const OTHER_PLACES: readonly MeasuredPlace[] = REGIONS.flatMap(({ state, districts, departments }, at) =>
  districts
    .flatMap((district) =>
      departments.map((department) => ({ state: state.name, district: district.name, department: department.name })),
    )
    .filter(
      ({ district, department }) =>
        district !== MEASURED_PLACES[at]?.district || department !== MEASURED_PLACES[at]?.department,
    ),
);

const WORKS = [
  'Construction of retaining wall and side drain along the link road',
  'Restoration of rain damages to the lift water supply scheme',
  'Supply, erection and commissioning of 63 KVA distribution transformers',
  'Providing and laying bituminous concrete on the district road',
  'Repair and maintenance of residential quarters and boundary wall',
  'Annual rate contract for housekeeping and security services',
  'Construction of additional class rooms in senior secondary school',
  'Providing rising main and storage tank for flow irrigation scheme',
  'Supply of medical equipment and consumables for the civil hospital',
  'Desilting of main canal and repair of distributaries',
];

/**
 * Adds `rows` tenders to the empty table and vacuums it. `open` of them, spread over the table, are open; the others closed
 * in the last six years and are archived.
 */
export async function fillTenders(dataSource: DataSource, rows: number, open = rows): Promise<void> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.query("SET maintenance_work_mem = '512MB'");
    // Indexes built once over all rows are smaller and much faster to build.
    const indexes: { name: string; definition: string }[] = await runner.query(
      `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
       WHERE schemaname = 'public' AND tablename IN ('tender', 'open_tender') AND indexname NOT LIKE '%_pkey'`,
    );
    for (const { name } of indexes) await runner.query(`DROP INDEX ${name}`);
    await insertTenders(runner, rows, open);
    for (const { definition } of indexes) await runner.query(definition);
    await runner.query('VACUUM ANALYZE tender, open_tender');
    await runner.query('CHECKPOINT');
  } finally {
    await runner.release();
  }
}

async function insertTenders(runner: QueryRunner, rows: number, open: number): Promise<void> {
  await runner.query('CREATE TEMP TABLE place (number int, state text, district text, department text)');
  await runner.query(
    `INSERT INTO place SELECT r.position - 1, r.place->>'state', r.place->>'district', r.place->>'department'
     FROM jsonb_array_elements($1) WITH ORDINALITY AS r(place, position)`,
    [JSON.stringify([...MEASURED_PLACES, ...OTHER_PLACES])],
  );
  // A number below `most` that depends only on the row and the purpose.
  await runner.query(`
    CREATE FUNCTION pg_temp.pick(i int, purpose int, most int) RETURNS int IMMUTABLE LANGUAGE sql
    AS 'SELECT ((hashint4extended(i, purpose) & 2147483647) % most)::int'`);
  const measured = MEASURED_PLACES.length;
  // Places are interleaved, so that the tenders of a measured place use as many pages at every size.
  // Few tenders are all of measured places.
  const step = Math.max(1, Math.floor(rows / (measured * ROWS_OF_MEASURED)));
  await runner.query(FILL, [rows, step, measured, measured * ROWS_OF_MEASURED, OTHER_PLACES.length, WORKS, open]);
}

/** $1 rows, $2 step, $3 measured places, $4 rows in them, $5 other places, $6 kinds of work, $7 open tenders. */
const FILL = `
  INSERT INTO tender (portal, source_id, state, district, district_confidence, department, title, description, reference,
    nit_key, organisation_chain, address, place, pincode, category, price, emd, tender_fee, bid_opening_place,
    published_at, bid_start_at, closes_at, archived, closing_time_known, opens_at, documents, stage, words, origin, shift_days,
    content_hash, change_no, fetched_at, updated_at)
  SELECT 'hptenders', '2025_PWD_' || 100000 + i / 3 || '_' || 1 + i % 3, state, district, 0.9, department, title,
    title || ', as per the estimate sanctioned by the competent authority',
    'NIT No. ' || i / 3, md5((i / 3)::text), jsonb_build_array(department, 'Circle ' || district, 'Division ' || village),
    'Executive Engineer, Division ' || village || ', ' || district, village, 100000 + pg_temp.pick(i, 1, 800000), 'Works',
    price, round(price * 0.02, 2), 500, 'Division ' || village,
    least(now(), closes_at - interval '1 day') - pg_temp.pick(i, 2, 20) * interval '1 day', least(now(), closes_at) - interval '1 day',
    closes_at, NOT is_open, true, closes_at + interval '1 day',
    '[{"cover": "Finance", "type": "xls", "name": "BOQ"}, {"cover": "Fee", "type": "pdf", "name": "Earnest money"}]',
    'published',
    -- Plurals nearly as the contract folds them.
    (setweight(to_tsvector('simple', regexp_replace(lower(title), '([a-z]{2,}[^siu])s\\M', '\\1', 'g')), 'A') || setweight(to_tsvector('simple', concat_ws(' ', department, district, village)), 'C')),
    'portal', 0, md5(i::text), nextval('tender_change_no'), now(), now()
  FROM (
    SELECT i, p.state, p.district, p.department, village, is_open,
      ($6::text[])[1 + pg_temp.pick(i, 3, cardinality($6::text[]))] || ' at ' || village || ' under ' || p.district
        || ' division from km ' || pg_temp.pick(i, 4, 40) || '/0 to ' || 40 + pg_temp.pick(i, 5, 40) || '/500' AS title,
      -- The sum of four even chances is near enough to a normal one; estimates are spread log-normally around 8 lakh.
      CASE WHEN pg_temp.pick(i, 6, 100) >= 12 THEN round(exp(13.6 + 3e-6 * (pg_temp.pick(i, 7, 1000000)
        + pg_temp.pick(i, 8, 1000000) + pg_temp.pick(i, 9, 1000000) + pg_temp.pick(i, 10, 1000000) - 2000000))::numeric, 2)
      END AS price,
      -- Every half hour from 09:00 to 18:30 in India, in the next weeks.
      date_trunc('day', now()) + interval '3 hours 30 minutes' + (2 + pg_temp.pick(i, 11, 40)) * interval '1 day'
        + pg_temp.pick(i, 12, 20) * interval '30 minutes'
        - CASE WHEN is_open THEN 0 ELSE 45 + pg_temp.pick(i, 15, 2150) END * interval '1 day' AS closes_at
    FROM (
      SELECT i, i * $7::bigint / $1 < (i + 1) * $7::bigint / $1 AS is_open, initcap(substr(translate(md5(pg_temp.pick(i, 13, 20000)::text), '0123456789abcdef', 'aeioubdghjklmnprs'), 1, 7))
          AS village,
        CASE WHEN i % $2 = 0 AND i / $2 < $4 THEN i / $2 % $3 ELSE $3 + pg_temp.pick(i, 14, $5) END AS number
      FROM generate_series(0, $1::int - 1) AS i
    ) numbered JOIN place p USING (number)
  ) described`;
