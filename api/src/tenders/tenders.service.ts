import { Inject, Injectable } from '@nestjs/common';
import { departmentOf, districtOf, type Region, regionOf } from '@nivida/contract/regions';
import { parseQuery, rewriteQuery } from '@nivida/contract/search';
import { STATES } from '@nivida/contract/states';
import { MAX_ROWS, type RegionList, type StateCount, type TenderList, type TenderQuery } from '@nivida/contract/tender';
import type { Pool } from 'pg';
import { AppError } from '../http/app-error.ts';
import { CLOCK, READ_POOL } from '../http/tokens.ts';
import { findCorrection } from './correction.ts';
import { listStatement, stateCountsStatement, type TenderFilter, tenderStatement } from './search.sql.ts';

const LARGEST_ID = 2_147_483_647;
const COUNTS_KEPT_MS = 30_000;

interface ListRow {
  total: number;
  rows: string;
  demonstration: boolean;
}

type States = RegionList['states'];

/** Reads tenders for everyone. Answers are JSON text, which PostgreSQL has already built. */
@Injectable()
export class TendersService {
  private counts: { at: number; states: Promise<States> } | undefined;

  constructor(
    @Inject(READ_POOL) private readonly pool: Pool,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** The tenders of a filter as the JSON of a TenderList. An unknown place gives an empty list, not an error. */
  async list(query: TenderQuery): Promise<string> {
    const now = this.now();
    const places = understandPlaces(query);
    const limit = query.limit ?? null;
    // Whoever asks for everything gets one page.
    const page = limit === null ? 1 : (query.page ?? 1);
    const filter = toFilter(query, places, limit ?? MAX_ROWS, (page - 1) * (limit ?? 0));
    // Words of which no search term remains ('/') are not a wish for everything.
    const isHopeless = places.unknown || (query.q !== '' && filter.words.length === 0);
    let found = isHopeless ? NOTHING : await this.run(filter, now);
    let showingFor: string | null = null;
    if (found.total === 0 && !isHopeless && filter.words.length > 0) {
      const corrected = await findCorrection(this.pool, filter, now);
      if (corrected) {
        showingFor = rewriteQuery(query.q, corrected.replacements);
        found = await this.run({ ...filter, words: corrected.words }, now);
      }
    }
    const rest: Omit<TenderList, 'tenders' | 'data'> = {
      total: found.total,
      page,
      limit,
      filter: { state: places.state, district: places.district, department: places.department, q: query.q || null },
      showing_for: showingFor,
      demonstration: found.demonstration,
    };
    if (found.total === 0) rest.states = await this.statesWithTenders();
    return `{"tenders":${found.rows},"data":${found.rows},${JSON.stringify(rest).slice(1)}`;
  }

  /** One tender as the JSON of a TenderAnswer; NOT_FOUND for unknown ids and drafts. */
  async tender(id: string): Promise<string> {
    const number = /^\d{1,10}$/.test(id) ? Number(id) : 0;
    if (number >= 1 && number <= LARGEST_ID) {
      const { rows } = await this.pool.query<{ tender: string }>(tenderStatement(number, this.now()));
      if (rows[0]) return `{"tender":${rows[0].tender}}`;
    }
    throw new AppError('NOT_FOUND', 'Tender not found');
  }

  /** All 36 states with their open tenders, counted at most twice a minute. */
  async regions(): Promise<RegionList> {
    const { rows } = await this.pool.query<{ fetched_at: Date | null }>({
      name: 'last fetched',
      text: 'SELECT fetched_at FROM tender ORDER BY id DESC LIMIT 1',
    });
    return { states: await this.stateCounts(), fetched_at: rows[0]?.fetched_at?.toISOString() ?? null };
  }

  private async run(filter: TenderFilter, now: Date): Promise<ListRow> {
    const { rows } = await this.pool.query<ListRow>(listStatement(filter, now));
    return rows[0] ?? NOTHING;
  }

  private async statesWithTenders(): Promise<StateCount[]> {
    const states = await this.stateCounts();
    return states.filter(({ open }) => open > 0).map(({ state, slug, open }) => ({ state, slug, open }));
  }

  private stateCounts(): Promise<States> {
    const at = this.now().getTime();
    if (!this.counts || Math.abs(at - this.counts.at) > COUNTS_KEPT_MS) {
      const states = this.countStates();
      this.counts = { at, states };
      // A failed count is not kept.
      states.catch(() => {
        this.counts = undefined;
      });
    }
    return this.counts.states;
  }

  private async countStates(): Promise<States> {
    type Row = { state: string; open: number; demonstration: boolean };
    const { rows } = await this.pool.query<Row>(stateCountsStatement(this.now()));
    const counted = new Map(rows.map((row) => [row.state, row]));
    return STATES.map(({ name, slug }) => {
      const row = counted.get(name);
      return { state: name, slug, open: row?.open ?? 0, demonstration: row?.demonstration ?? false };
    });
  }
}

const NOTHING: ListRow = { total: 0, rows: '[]', demonstration: false };

interface Places {
  state: string | null;
  district: string | null;
  department: string | null;
  /** A name was given that is no place: nothing can match. */
  unknown: boolean;
}

/** Listed names for what was asked; a slug or alias is understood, an unknown name is repeated as it came. */
function understandPlaces({ state, district, department }: TenderQuery): Places {
  const region = state === '' ? undefined : regionOf(state);
  const inRegion = (asked: string, find: (region: Region, text: string) => { name: string } | undefined) =>
    asked === '' ? null : ((region && find(region, asked))?.name ?? undefined);
  const foundDistrict = inRegion(district, districtOf);
  const foundDepartment = inRegion(department, departmentOf);
  return {
    state: state === '' ? null : (region?.state.name ?? state),
    district: foundDistrict === undefined ? district : foundDistrict,
    department: foundDepartment === undefined ? department : foundDepartment,
    unknown: (state !== '' && !region) || foundDistrict === undefined || foundDepartment === undefined,
  };
}

function toFilter(query: TenderQuery, places: Places, limit: number, offset: number): TenderFilter {
  const open = query.open === '1';
  // Closed tenders come newest closing first unless sorted.
  const sort = query.sort ?? (open ? 'price' : 'closing_date');
  const usual = sort === 'closing_date' && (open || query.sort) ? 'asc' : 'desc';
  return {
    state: places.state,
    district: places.district,
    department: places.department,
    words: parseQuery(query.q),
    open,
    sort,
    order: query.order ?? usual,
    limit,
    offset,
  };
}
