/** The fields that an operator may correct: how a row has them, and how a typed value is read. */
import type { CorrectableField } from '@nivida/contract/desk/tenders';
import { findDepartment, findDistrict, type Region } from '@nivida/contract/regions/regions';
import {
  optionalText,
  parseDate,
  parseEstimate,
  parsePincode,
  parseRupees,
  truncatedText,
} from '../cells/normalise.ts';
import { InvalidValueError } from '../source-tender.ts';
import { type StoredRow, shiftDate } from '../stored-row.ts';

interface CorrectedField {
  /** Column of the import, for messages. */
  source: string;
  /** The row's value as text; dates are the source's own, never moved by a rebase. Null is an empty value. */
  read(row: StoredRow): string | null;
  write(row: StoredRow, value: string | null): void;
  /** Reads a typed value as the import reads a cell. Throws InvalidValueError. */
  parse(raw: string, region: Region): string | null;
  /** Set for fields that are derived from others. */
  isDerived?: true;
}

function textField(column: string, source: string, parse: CorrectedField['parse']): CorrectedField {
  return {
    source,
    read: (row) => (row[column] as string | null) ?? null,
    write: (row, value) => {
      row[column] = value;
    },
    parse,
  };
}

function readInstant(source: string, raw: string): string | null {
  const date = parseDate(source, raw);
  if (date && !date.timeKnown) throw new InvalidValueError(source, raw, 'has no hour');
  return date?.at.toISOString() ?? null;
}

const dateField = (column: string, source: string): CorrectedField => ({
  source,
  read: (row) => shiftDate(row[column] as Date | null, -row.shift_days)?.toISOString() ?? null,
  write: (row, value) => {
    row[column] = value && shiftDate(new Date(value), row.shift_days);
  },
  parse: (raw) => readInstant(source, raw),
});

const required = (source: string, raw: string, value: string | null): string => {
  if (!value) throw new InvalidValueError(source, raw, 'is empty');
  return value;
};

/** Follows the instant of a closing whose hour the source does not state. */
const NO_HOUR = ' (no hour)';

const TITLE = 'Title';
const CLOSING = 'Bid Submission End Date';

export const CORRECTED_FIELDS: Record<CorrectableField, CorrectedField> = {
  title: {
    source: TITLE,
    read: (row) => row.title as string,
    write: (row, value) => {
      if (row.description === row.title) row.description = value;
      row.title = value;
    },
    parse: (raw) => required(TITLE, raw, truncatedText(raw)),
  },
  closing: {
    source: CLOSING,
    read: (row) => `${shiftDate(row.closes_at, -row.shift_days).toISOString()}${row.closing_time_known ? '' : NO_HOUR}`,
    write: (row, value) => {
      const [at = ''] = (value ?? '').split(NO_HOUR);
      row.closes_at = shiftDate(new Date(at), row.shift_days);
      row.closing_time_known = at === value;
    },
    parse: (raw) => required(CLOSING, raw, readInstant(CLOSING, raw)),
  },
  opening: dateField('opens_at', 'Bid Opening Date'),
  bid_start: dateField('bid_start_at', 'Bid Submission Start Date'),
  pre_bid: dateField('pre_bid_at', 'Pre Bid Meeting Date'),
  value: textField('price', 'Tender Value', (raw) => parseEstimate('Tender Value', raw)),
  emd: textField('emd', 'EMD Amount', (raw) => parseRupees('EMD Amount', raw)),
  fee: textField('tender_fee', 'Tender Fee', (raw) => parseRupees('Tender Fee', raw)),
  pincode: textField('pincode', 'Pincode', (raw) => {
    const pincode = parsePincode(raw);
    if (pincode === null && optionalText(raw) !== null)
      throw new InvalidValueError('Pincode', raw, 'is not a PIN code of six digits');
    return pincode;
  }),
  district: {
    ...textField('district', 'District', (raw, region) => {
      if (optionalText(raw) === null) return null;
      const found = findDistrict(region, raw);
      if (!found) throw new InvalidValueError('District', raw, `is no district of ${region.state.name}`);
      return found.name;
    }),
    write: (row, value) => {
      row.district = value;
      row.second_district = null;
      row.district_confidence = value === null ? null : 1;
    },
    isDerived: true,
  },
  department: {
    ...textField('department', 'Department', (raw, region) => {
      const name = optionalText(raw);
      return (name && findDepartment(region, name)?.name) ?? name;
    }),
    isDerived: true,
  },
};
