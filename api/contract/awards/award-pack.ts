/**
 * The statistics of a state's offices for devices, in columns of small numbers. It has the departments and the offices with
 * at least 10 awards. Tenders of other offices show the figures of their department. Values that the device can derive are
 * left out: id, name, kind, department and state of an office, its age, and sums of other columns.
 */
import { dayNumber, dayText } from '../time.ts';
import { type AwardRange, MIN_OFFICE_AWARDS, type OfficeAwards } from './awards.ts';
import { officeKind, officeName } from './office.ts';

/** Values of all offices by name. A list with one value means that all offices have it. */
export type AwardColumns = Record<string, unknown[]>;

/** Part of a pack's version, so that a device replaces a pack of an earlier format. */
export const AWARD_PACK_FORMAT = 2;

type Statistics = Omit<OfficeAwards, 'isOld'>;

const RANGES = ['bidders', 'price', 'daysToContract'] as const;
/** States of a range. A range is packed as its index in this list. Only ranges of the first two are shown. */
const RANGE_STATES = ['office', 'department', 'too-few', 'too-wide', 'past-ranges-wrong', 'rates-changed'] as const;

const monthNumber = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;
const monthText = (number: number) => `${Math.floor(number / 12)}-${String((number % 12) + 1).padStart(2, '0')}-01`;

/** Days before the day of the statistics; null stays null. */
const daysBefore = (day: string | null, until: string) => day && dayNumber(until) - dayNumber(day);

/** Whether an office is packed. */
const isPacked = (statistics: Statistics): boolean =>
  (statistics.office.kind === 'department' || statistics.awards >= MIN_OFFICE_AWARDS) &&
  RANGES.some((name) => statistics[name].isShown || statistics[name].reason !== 'too-few');

/** The columns of a range. Its counts are packed as differences from the office's `awards`. */
function packRange(name: string, range: AwardRange, { awards, computedOn }: Statistics) {
  const state = RANGE_STATES.indexOf(range.isShown ? range.basis : range.reason);
  return {
    [`${name}.state`]: state,
    [`${name}.low`]: range.isShown ? range.low : 0,
    [`${name}.width`]: range.isShown ? range.high - range.low : 0,
    [`${name}.less`]: awards - (range.officeAwards ?? 0),
    [`${name}.department`]: range.isShown && range.basis === 'department' ? range.awards : 0,
    [`${name}.changed`]: range.isShown ? null : daysBefore(range.changedOn, computedOn),
  };
}

function packRow(statistics: Statistics): Record<string, unknown> {
  const { office, awards, firstKnownOn, lastKnownOn, computedOn, refused, singleBid, lateBids, masses } = statistics;
  return {
    key: office.key,
    awards,
    // Only the month is shown.
    first: firstKnownOn && monthNumber(computedOn) - monthNumber(firstKnownOn),
    last: daysBefore(lastKnownOn, computedOn),
    ...Object.assign({}, ...RANGES.map((name) => packRange(name, statistics[name], statistics))),
    masses: masses.flatMap(({ price, count, of }) => [price, count, of]),
    bids: refused?.of ?? null,
    technical: refused?.technical ?? 0,
    notAdmitted: refused?.notAdmitted ?? 0,
    isMoreThanUsual: refused?.isMoreThanUsual ? 1 : 0,
    single: singleBid?.count ?? null,
    late: lateBids && [lateBids.count, lateBids.of],
    computedOn,
    isDemonstration: statistics.isDemonstration,
  };
}

/** Packs the offices of one state, in the order of their keys. */
export function packOffices(offices: readonly Statistics[]): AwardColumns {
  const packed = offices.filter(isPacked).toSorted((one, other) => (one.office.key < other.office.key ? -1 : 1));
  const rows = packed.map(packRow);
  const columns = Object.keys(rows[0] ?? {}).map((name) => {
    const values = rows.map((row) => row[name]);
    const isConstant = values.every((value) => JSON.stringify(value) === JSON.stringify(values[0]));
    return [name, isConstant ? values.slice(0, 1) : values];
  });
  // The coverage is the same for the whole state.
  const coverage = RANGES.map((name) => {
    const shown = packed.map((statistics) => statistics[name]).find(({ isShown }) => isShown);
    return [`${name}.coverage`, [shown?.isShown ? shown.coverage : null]];
  });
  return Object.fromEntries([...columns, ...coverage]);
}

/** The keys of the packed offices, in their order. */
export const packedKeys = (columns: AwardColumns): unknown[] => columns.key ?? [];

/**
 * The packed row `at` as the server answers it, with the first day of the month as `firstKnownOn`. The caller adds the
 * office's id and age and validates it.
 */
export function unpackOffice(columns: AwardColumns, at: number, state: string) {
  const value = <T>(name: string): T => {
    const values = columns[name] ?? [];
    return (values.length === 1 ? values[0] : values[at]) as T;
  };
  const number = (name: string) => value<number>(name);
  const key = String(value('key'));
  const awards = number('awards');
  const computedOn = value<string>('computedOn');
  const dayBefore = (days: number | null) => (days === null ? null : dayText(dayNumber(computedOn) - days));
  const range = (name: string) => {
    const kind = RANGE_STATES[number(`${name}.state`)];
    const low = number(`${name}.low`);
    const officeAwards = awards - number(`${name}.less`);
    if (kind !== 'office' && kind !== 'department')
      return { isShown: false, reason: kind, officeAwards, changedOn: dayBefore(value(`${name}.changed`)) };
    return {
      isShown: true,
      basis: kind,
      awards: kind === 'office' ? officeAwards : number(`${name}.department`),
      officeAwards,
      low,
      high: low + number(`${name}.width`),
      coverage: value(`${name}.coverage`),
    };
  };
  const [technical, notAdmitted] = [number('technical'), number('notAdmitted')];
  const bids = value<number | null>('bids');
  const first = value<number | null>('first');
  const single = value<number | null>('single');
  const late = value<[number, number] | null>('late');
  const masses = value<number[]>('masses');
  return {
    office: { key, name: officeName(key), kind: officeKind(key), department: key.split('||')[0], state },
    awards,
    firstKnownOn: first === null ? null : monthText(monthNumber(computedOn) - first),
    lastKnownOn: dayBefore(value('last')),
    bidders: range('bidders'),
    price: range('price'),
    daysToContract: range('daysToContract'),
    masses: masses.flatMap((price, n) => (n % 3 === 0 ? [{ price, count: masses[n + 1], of: masses[n + 2] }] : [])),
    refused:
      bids === null
        ? null
        : {
            count: technical + notAdmitted,
            of: bids,
            technical,
            notAdmitted,
            isMoreThanUsual: number('isMoreThanUsual') === 1,
          },
    singleBid: single === null ? null : { count: single, of: awards },
    lateBids: late && { count: late[0], of: late[1] },
    computedOn,
    isDemonstration: value('isDemonstration'),
  };
}
