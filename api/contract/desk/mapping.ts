/** How the columns of a portal's table are read: the operator maps them to the fields of a tender once. */
import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import * as v from 'valibot';
import { i18n } from '../i18n.ts';
import { TenderSummary } from '../tenders/tender.ts';

/** How several columns of one field are joined; `one`: the field has one column. */
type Join = 'levels' | 'date' | 'text' | 'one';

interface MappedField {
  label: MessageDescriptor;
  join: Join;
  /** Set for fields without which a row is no tender. */
  isNeeded?: true;
}

/** The fields to which columns can be mapped. */
export const MAPPED_FIELDS = {
  tender_id: { label: msg`Tender id`, join: 'one', isNeeded: true },
  title: { label: msg`Title`, join: 'text', isNeeded: true },
  organisation: { label: msg`Organisation`, join: 'levels', isNeeded: true },
  closing: { label: msg`Closing`, join: 'date', isNeeded: true },
  published: { label: msg`Published`, join: 'date' },
  reference: { label: msg`Reference number`, join: 'text' },
  description: { label: msg`Description`, join: 'text' },
  category: { label: msg`Category`, join: 'one' },
  value: { label: msg`Estimated cost`, join: 'one' },
  emd: { label: msg`EMD`, join: 'one' },
  emd_percent: { label: msg`EMD in percent`, join: 'one' },
  emd_exemption: { label: msg`EMD exemption`, join: 'one' },
  tender_fee: { label: msg`Tender fee`, join: 'one' },
  bid_start: { label: msg`Bid start`, join: 'date' },
  opening: { label: msg`Opening`, join: 'date' },
  opening_place: { label: msg`Opening place`, join: 'text' },
  pre_bid: { label: msg`Pre-bid meeting`, join: 'date' },
  pre_bid_place: { label: msg`Place of the pre-bid meeting`, join: 'text' },
  place: { label: msg`Place of work`, join: 'text' },
  district: { label: msg`District`, join: 'text' },
  state: { label: msg`State`, join: 'one' },
  pincode: { label: msg`PIN code`, join: 'one' },
  address: { label: msg`Address`, join: 'text' },
  contact: { label: msg`Contact`, join: 'text' },
  tender_type: { label: msg`Tender type`, join: 'one' },
  form_of_contract: { label: msg`Form of contract`, join: 'one' },
  sub_category: { label: msg`Kind of work`, join: 'one' },
  covers: { label: msg`Covers`, join: 'one' },
  period_of_work: { label: msg`Period of work in days`, join: 'one' },
  bid_validity: { label: msg`Bid validity in days`, join: 'one' },
  quantity: { label: msg`Quantity`, join: 'text' },
  stage: { label: msg`Stage`, join: 'one' },
} as const satisfies Record<string, MappedField>;

export type MappedFieldName = keyof typeof MAPPED_FIELDS;
export const MAPPED_FIELD_NAMES = Object.keys(MAPPED_FIELDS) as MappedFieldName[];

/** A field by its name, without the types of the single entry. */
export const mappedField = (name: MappedFieldName): MappedField => MAPPED_FIELDS[name];

/** What the numbers of a column of amounts count. */
export const AMOUNT_UNITS = ['rupee', 'thousand', 'lakh', 'crore'] as const;
export type AmountUnit = (typeof AMOUNT_UNITS)[number];

/** The fields whose columns have a unit. */
export const hasUnit = (field: MappedFieldName | null): boolean =>
  field === 'value' || field === 'emd' || field === 'tender_fee';

const UNIT_NAMES: [AmountUnit, RegExp][] = [
  ['crore', /\bcrores?\b|\bcrs?\b|करोड/],
  ['lakh', /\blakhs?\b|\blacs?\b|लाख/],
  ['thousand', /\bthousands?\b|['’]000|हज\u093c?ार/],
];

/** The unit that a column's name states: 'Estimated cost (Rs. in Lakh)'. */
export function unitOfColumn(column: string): AmountUnit {
  const name = column
    .normalize('NFC')
    .replaceAll('_', ' ')
    .replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')
    .toLowerCase();
  return UNIT_NAMES.find(([, words]) => words.test(name))?.[0] ?? 'rupee';
}

const MAX_COLUMNS = 200;
const MAX_NAME_CHARACTERS = 500;
const fieldName = v.picklist(MAPPED_FIELD_NAMES);
const shortText = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(MAX_NAME_CHARACTERS));

/** A column of the table with the field that it fills; null: it is not read. */
export const MappedColumn = v.object({
  column: v.pipe(v.string(), v.maxLength(MAX_NAME_CHARACTERS)),
  field: v.nullable(fieldName),
  /** Of amounts whose cells state none. Without it the unit is that of the column's name. */
  unit: v.optional(v.picklist(AMOUNT_UNITS)),
});
export type MappedColumn = v.InferOutput<typeof MappedColumn>;

/** The mapping's columns and fixed values. */
interface MappedParts {
  columns: readonly MappedColumn[];
  fixed: Partial<Record<MappedFieldName, string>>;
}

/** What is wrong with a mapping, in the present language; undefined for a complete one. */
export function mappingProblem({ columns, fixed }: MappedParts): string | undefined {
  const mapped = columns.flatMap(({ field }) => field ?? []);
  for (const name of MAPPED_FIELD_NAMES) {
    const { isNeeded, join, label } = mappedField(name);
    const field = i18n._(label);
    const count = mapped.filter((each) => each === name).length + (fixed[name] === undefined ? 0 : 1);
    if (count === 0 && isNeeded) return t`No column is "${field}"`;
    if (count > 1 && (join === 'one' || fixed[name] !== undefined)) return t`Only one column can be "${field}"`;
  }
  return undefined;
}

/** A mapping as it is stored. */
export const ColumnMapping = v.pipe(
  v.object({
    /** All columns of the table, in its order. A file with other columns is not read by this mapping. */
    columns: v.pipe(v.array(MappedColumn), v.minLength(1), v.maxLength(MAX_COLUMNS)),
    /** Values of every row that no column states, such as the one organisation of a department's list. */
    fixed: v.optional(v.record(fieldName, shortText), {}),
    /** The state of all rows; null when a column or `--state` names it. */
    state: v.optional(v.nullable(shortText), null),
  }),
  v.check(
    (mapping) => mappingProblem(mapping as MappedParts) === undefined,
    ({ input }) => mappingProblem(input as MappedParts) ?? '',
  ),
);
export type ColumnMapping = v.InferOutput<typeof ColumnMapping>;

/** The short name of a portal. */
export const PortalKey = v.pipe(
  v.string(),
  v.trim(),
  v.toLowerCase(),
  v.regex(/^[a-z0-9][a-z0-9.-]{0,62}$/, () => t`A short name of letters, digits, dots and dashes`),
);

const instant = v.pipe(v.string(), v.isoTimestamp());

/** A saved version of a portal's mapping. */
export const SavedMapping = v.object({
  portal: v.string(),
  version: v.number(),
  mapping: ColumnMapping,
  /** Account of the member of staff; null: by command. */
  made_by: v.nullable(v.string()),
  at: instant,
});
export type SavedMapping = v.InferOutput<typeof SavedMapping>;

/** A column of a file, with values from its first rows and the field that it seems to be. */
export const DescribedColumn = v.object({
  column: v.string(),
  /** Up to three different values. */
  samples: v.array(v.string()),
  guess: v.nullable(fieldName),
  /** What the guess comes from. */
  by: v.nullable(v.picklist(['header', 'values'])),
});
export type DescribedColumn = v.InferOutput<typeof DescribedColumn>;

/** One table of a file: of a workbook its sheet, of a page or an archive one of several. */
export const FileDescription = v.object({
  /** Name of the sheet or of the file in the archive; null when the file is one table. */
  table: v.nullable(v.string()),
  /** The other tables of the file, which are not read. */
  other_tables: v.array(v.string()),
  /** The line of the header, from 1. */
  header_line: v.number(),
  columns: v.array(DescribedColumn),
  /** A format that needs no mapping; null for an unknown table. */
  format: v.nullable(v.string()),
  /** The saved mapping that an import uses for it. */
  mapping: v.nullable(v.object({ portal: v.string(), version: v.number() })),
});
export type FileDescription = v.InferOutput<typeof FileDescription>;

/** What an import by a mapping would do. Nothing is stored. */
export const MappingPreview = v.object({
  /** The first ten, as cards show them. */
  tenders: v.array(TenderSummary),
  counts: v.object({
    read: v.number(),
    new: v.number(),
    changed: v.number(),
    unchanged: v.number(),
    rejected: v.number(),
    warnings: v.optional(v.number()),
    attached: v.optional(v.number()),
  }),
  /** Reasons of rejected rows, the most frequent first, each with one example. */
  rejections: v.array(
    v.object({ column: v.string(), reason: v.string(), count: v.number(), line: v.number(), value: v.string() }),
  ),
  /** Sentences of the import in English, such as cells that were not used. */
  notes: v.array(v.string()),
  /** Why the import would stop, in English, such as dates with the month first; null when it would not. */
  problem: v.nullable(v.string()),
});
export type MappingPreview = v.InferOutput<typeof MappingPreview>;
