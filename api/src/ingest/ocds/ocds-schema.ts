/**
 * The fields of OCDS 1.0 and 1.1 that are read. Other keys are dropped, especially those that name people and bidders.
 * Common deviations are accepted: codes in any case, numbers as text, Indian time without a zone. An unreadable field
 * becomes empty with a warning, unless the release depends on it.
 */
import { PortalName } from '@nivida/contract/ingest/sent-files';
import { TENDER_STAGES } from '@nivida/contract/tenders/status';
import * as v from 'valibot';
import { cleanText, optionalText, parseCategory, parseDate, parseRupees } from '../cells/normalise.ts';
import { InvalidValueError, UnreadableFileError } from '../source-tender.ts';

const string = v.string('must be text');
const text = v.pipe(
  v.union([string, v.pipe(v.number(), v.finite(), v.transform(String))], 'must be text'),
  v.transform((value): string => value),
);
const textOrNull = v.nullish(text);
const id = textOrNull;

/** Reads a text. An empty one counts as missing; unlike null it does not remove an earlier value. */
const filled = <Value>(read: (value: string) => Value) =>
  v.transform((value: string): Value | undefined => (optionalText(value) === null ? undefined : read(value)));

function isReadable(read: (value: string) => unknown): (value: string) => boolean {
  return (value) => {
    try {
      read(value);
      return true;
    } catch (error) {
      if (!(error instanceof InvalidValueError)) throw error;
      return false;
    }
  };
}

// The standard requires a time of day and a zone. A date alone is accepted too, and distinguished from midnight.
const instant = v.pipe(
  text,
  v.check(
    isReadable((value) => parseDate('', value)),
    'must be a date and time like 2026-04-15T11:00:00+05:30',
  ),
  filled(String),
);
const instantOrNull = v.nullish(instant);

const amount = v.pipe(
  v.union([v.pipe(v.number(), v.finite()), string], 'must be a number'),
  v.transform((value) => (typeof value === 'number' ? value.toFixed(2) : value)),
  v.check(
    isReadable((value) => parseRupees('', value)),
    'must be an amount',
  ),
  filled((value) => Number(parseRupees('', value))),
);
const number = v.pipe(
  text,
  v.check((value) => Number.isFinite(Number(value.replaceAll(',', ''))), 'must be a number'),
  filled((value) => Number(value.replaceAll(',', ''))),
);
const wholeNumber = v.pipe(
  number,
  v.check((value) => value === undefined || (Number.isInteger(value) && value >= 0), 'must be a whole number'),
);

// Valibot accepts a list as an object without keys.
function object<Entries extends v.ObjectEntries>(entries: Entries) {
  return v.pipe(v.custom<Record<string, unknown>>(isObject, 'must be an object'), v.object(entries));
}

/** Whether a value is an object and no list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function list<Item extends v.GenericSchema>(item: Item) {
  return v.nullish(v.array(item, 'must be a list'));
}

/** A code of the standard in any case. */
function oneOf<const Codes extends readonly string[]>(...codes: Codes) {
  const code = (value: string) => codes.find((known) => known.toLowerCase() === foldCode(value));
  return v.nullish(
    v.pipe(
      text,
      v.check(
        (value) => optionalText(value) === null || code(value) !== undefined,
        `must be one of ${codes.join(', ')}`,
      ),
      filled((value) => code(value) as Codes[number]),
    ),
  );
}

/** Folds a code, so that a cancelled tender is recognised in any spelling. */
const foldCode = (value: string): string =>
  value
    .trim()
    .toLowerCase()
    .replace(/^cancel.*/, 'cancelled');

const OcdsAddress = object({
  streetAddress: textOrNull,
  locality: textOrNull,
  region: textOrNull,
  postalCode: textOrNull,
  country: textOrNull,
  countryName: textOrNull,
});

const ContactPoint = object({ name: textOrNull });

const OcdsParty = {
  name: textOrNull,
  address: v.nullish(OcdsAddress),
  contactPoint: v.nullish(ContactPoint),
};
const OcdsPartySchema = object({ id, roles: list(text), ...OcdsParty });
const OrganizationReference = v.pipe(
  // Some publishers write only the name.
  v.unknown(),
  v.transform((value) => (typeof value === 'string' ? { name: value } : value)),
  object({ id, ...OcdsParty }),
);

const currency = v.nullish(
  v.pipe(
    text,
    v.transform((value) => (/^\s*(?:rs\.?|₹|inr\.?|rupees?)\s*$/i.test(value) ? 'INR' : value.trim().toUpperCase())),
    v.regex(/^(?:[A-Z]{3})?$/, 'must be a currency code like INR'),
    filled(String),
  ),
);
const Value = object({ amount: v.nullish(amount), currency });
/** Numbers have no upper limit here, because awards have a limit of their own. */
const AwardValue = object({ amount: v.nullish(v.union([v.pipe(v.number(), v.minValue(0)), amount])), currency });

const Period = object({ startDate: instantOrNull, endDate: instantOrNull, durationInDays: v.nullish(wholeNumber) });

const Document = object({ id, documentType: textOrNull, title: textOrNull, url: textOrNull, format: textOrNull });

const Milestone = object({ id, type: textOrNull, title: textOrNull, dueDate: instantOrNull });

/** `type` is of our own export: the portal's type of a corrigendum. */
const Amendment = object({ id, rationale: textOrNull, description: textOrNull, type: textOrNull });

const Item = object({
  id,
  description: textOrNull,
  quantity: v.nullish(number),
  unit: v.nullish(object({ name: textOrNull })),
  classification: v.nullish(object({ description: textOrNull })),
  deliveryAddresses: list(OcdsAddress),
  deliveryAddress: v.nullish(OcdsAddress),
});

const ParticipationFee = object({ id, type: v.nullish(v.union([text, v.array(text)])), value: v.nullish(Value) });

const OcdsTender = object({
  id,
  title: textOrNull,
  description: textOrNull,
  status: oneOf('planning', 'planned', 'active', 'complete', 'cancelled', 'unsuccessful', 'withdrawn'),
  procuringEntity: v.nullish(OrganizationReference),
  items: list(Item),
  value: v.nullish(Value),
  deliveryAddresses: list(OcdsAddress),
  procurementMethod: oneOf('open', 'selective', 'limited', 'direct'),
  procurementMethodDetails: textOrNull,
  mainProcurementCategory: v.nullish(
    v.pipe(
      text,
      v.check(
        (value) => optionalText(value) === null || parseCategory(value) !== null,
        'must be one of goods, services, works',
      ),
      filled(String),
    ),
  ),
  datePublished: instantOrNull,
  tenderPeriod: v.nullish(Period),
  enquiryPeriod: v.nullish(Period),
  awardPeriod: v.nullish(Period),
  contractPeriod: v.nullish(Period),
  documents: list(Document),
  milestones: list(Milestone),
  amendments: list(Amendment),
  amendment: v.nullish(Amendment),
  bidOpening: v.nullish(object({ date: instantOrNull, address: v.nullish(OcdsAddress) })),
  participationFees: list(ParticipationFee),
  numberOfTenderers: v.nullish(wholeNumber),
  tenderers: list(OrganizationReference),
});

const Award = object({
  id,
  status: oneOf('pending', 'active', 'cancelled', 'unsuccessful'),
  date: instantOrNull,
  value: v.nullish(AwardValue),
  suppliers: list(OrganizationReference),
});

/** A bid of OCDS's extension for bids. */
const Bid = object({ id, status: textOrNull, date: instantOrNull, tenderers: list(OrganizationReference) });

const bool = v.nullish(v.boolean('must be true or false'));

/**
 * What OCDS has no field for, or no field that keeps it apart, in releases of our own export: the tender's key and its
 * portal's values. See docs/data.md.
 */
const NividaFields = object({
  portal: v.nullish(PortalName),
  sourceId: textOrNull,
  organisationChain: list(text),
  address: textOrNull,
  place: textOrNull,
  pincode: textOrNull,
  subCategory: textOrNull,
  tenderType: textOrNull,
  formOfContract: textOrNull,
  emdPercent: textOrNull,
  emdExemptionAllowed: bool,
  covers: v.nullish(wholeNumber),
  bidValidityDays: v.nullish(wholeNumber),
  preBidPlace: textOrNull,
  closingTimeKnown: bool,
  stage: v.nullish(v.picklist(TENDER_STAGES, 'must be a stage of a tender')),
  isListed: bool,
});

const TAGS = [
  ...['planning', 'planningUpdate', 'tender', 'tenderAmendment', 'tenderUpdate', 'tenderCancellation'],
  ...['award', 'awardUpdate', 'awardCancellation', 'contract', 'contractUpdate', 'contractAmendment'],
  ...['contractTermination', 'implementation', 'implementationUpdate', 'compiled'],
];
const tagCode = (value: string) =>
  TAGS.find((known) => known.toLowerCase() === value.trim().toLowerCase()) ?? value.trim();

/** A list; some publishers write one text. */
const Tags = v.pipe(
  v.nullish(v.union([v.array(text), text], 'must be a list'), []),
  v.transform((value) => (value === null ? [] : typeof value === 'string' ? value.split(/[,;]/) : value)),
  v.transform((tags) => tags.map(tagCode).filter((tag) => tag !== '')),
);

const Release = object({
  ocid: v.pipe(
    text,
    v.check((value) => cleanText(value) !== '', 'must not be empty'),
  ),
  id,
  date: v.pipe(
    instant,
    v.check((value) => value !== undefined, 'must not be empty'),
    v.transform(String),
  ),
  tag: Tags,
  parties: list(OcdsPartySchema),
  buyer: v.nullish(OrganizationReference),
  tender: v.nullish(OcdsTender),
  awards: list(Award),
  bids: v.nullish(object({ details: list(Bid) })),
  contracts: list(object({ id, status: textOrNull })),
  nivida: v.nullish(NividaFields),
});

/** A release is rejected if one of these cannot be read. A missing title or organisation may be in other fields (ocds-tender.ts). */
const DECIDING_FIELDS = [
  ...['', 'ocid', 'date', 'tender', 'tender.title', 'tender.datePublished', 'tender.tenderPeriod'],
  'tender.tenderPeriod.endDate',
];

/** A value without nulls at any depth. */
type WithoutNulls<T> = T extends readonly (infer Item)[]
  ? WithoutNulls<Item>[]
  : T extends object
    ? { [Key in keyof T]: WithoutNulls<Exclude<T[Key], null>> }
    : T;

/**
 * The part of a release that is read. Null removes a value that an earlier release gave. `announced` is its date when it
 * announces the tender.
 */
export type StatedRelease = v.InferOutput<typeof Release> & { announced?: string };
/** A release after merging. It has no nulls. */
export type Release = WithoutNulls<StatedRelease>;
export type OcdsAddress = WithoutNulls<v.InferOutput<typeof OcdsAddress>>;
export type OcdsParty = WithoutNulls<v.InferOutput<typeof OcdsPartySchema>>;
export type OrganizationReference = WithoutNulls<v.InferOutput<typeof OrganizationReference>>;
export type NividaFields = WithoutNulls<v.InferOutput<typeof NividaFields>>;
export type OcdsTender = WithoutNulls<v.InferOutput<typeof OcdsTender>>;

const RecordShape = object({
  ocid: v.nullish(text),
  releases: list(v.unknown()),
  compiledRelease: v.nullish(v.unknown()),
  versionedRelease: v.nullish(v.unknown()),
});

const version = v.picklist(['1.0', '1.1'], 'must be "1.0" or "1.1"');
const NewPackage = object({ version, publisher: v.nullish(object({ name: textOrNull })) });
// 1.0 had no version; it required publisher and date of the package. Publishers leave address and date empty.
const OldPackage = object({ uri: text, publishedDate: instant, publisher: object({ name: text }) });

/** A readable release, and its fields that are empty because they could not be read. */
export interface ReadRelease {
  release: StatedRelease;
  unread: InvalidValueError[];
}

/** Reads a release. Throws InvalidValueError with the path of an unreadable field on which it depends. */
export function readRelease(value: unknown): ReadRelease {
  const unread: InvalidValueError[] = [];
  for (;;) {
    const result = v.safeParse(Release, value);
    if (result.success) return { release: withTags(result.output), unread };
    const odd = new Map<object, Set<string | number>>();
    for (const issue of result.issues) {
      const fault = findFault(value, issue);
      if (DECIDING_FIELDS.includes(fault.path)) throw new InvalidValueError(fault.path, fault.text, fault.reason);
      odd.set(fault.container, (odd.get(fault.container) ?? new Set()).add(fault.key));
      unread.push(new InvalidValueError(fault.path.replace(/\[\d+\]/g, ''), fault.text, fault.reason));
    }
    for (const [container, keys] of odd) removeKeys(container, keys);
  }
}

/** Adds the facts that only the tags state. Merging would lose them. */
function withTags(release: v.InferOutput<typeof Release>): StatedRelease {
  const { tag, date, tender } = release;
  const isAnnouncement = tag.length > 0 && tag.every((each) => each === 'planning' || each === 'tender');
  return {
    ...release,
    ...(isAnnouncement && { announced: date }),
    ...(tag.includes('tenderCancellation') && { tender: { ...tender, status: 'cancelled' as const } }),
  };
}

/** Reads the parts of a record. Its releases are read one by one later. Throws InvalidValueError for anything else. */
export function readRecordParts(value: unknown): v.InferOutput<typeof RecordShape> {
  const result = v.safeParse(RecordShape, value, { abortEarly: true });
  if (result.success) return result.output;
  const { path, text: raw, reason } = findFault(value, result.issues[0]);
  throw new InvalidValueError(path, raw, reason);
}

interface Fault {
  container: object;
  key: string | number;
  path: string;
  text: string;
  reason: string;
}

function findFault(root: unknown, issue: v.BaseIssue<unknown>): Fault {
  const keys = (issue.path ?? []).map(({ key }) => key as string | number);
  let container: unknown = root;
  for (const key of keys.slice(0, -1)) container = (container as Record<string, unknown>)[key];
  const value = keys.length === 0 ? root : (container as Record<string, unknown>)[keys.at(-1) ?? ''];
  return {
    container: container as object,
    key: keys.at(-1) ?? '',
    path: pathText(keys),
    text: cleanText(typeof value === 'object' ? JSON.stringify(value) : value),
    reason: value === undefined || value === null ? 'is missing' : issue.message,
  };
}

function removeKeys(container: object, keys: ReadonlySet<string | number>): void {
  if (!Array.isArray(container)) for (const key of keys) delete (container as Record<string, unknown>)[key];
  else for (const index of [...keys].map(Number).sort((a, b) => b - a)) container.splice(index, 1);
}

/** Checks the keys of a package and that it has releases or records, not their content. Throws UnreadableFileError. */
export function checkPackage(value: Record<string, unknown>, place: string): void {
  if (value.releases === undefined && value.records === undefined)
    throw new UnreadableFileError(`is no valid OCDS, ${place}: has neither releases nor records`);
  const lists = object({
    releases: v.optional(v.array(v.unknown(), 'must be a list')),
    records: v.optional(v.array(v.unknown(), 'must be a list')),
  });
  check(lists, value, place);
  if (value.version === undefined) check(OldPackage, value, place);
  else check(NewPackage, value, place);
}

function check(schema: v.GenericSchema, value: unknown, place: string): void {
  const result = v.safeParse(schema, value, { abortEarly: true });
  if (result.success) return;
  const [issue] = result.issues;
  const path = pathText((issue.path ?? []).map(({ key }) => key as string | number));
  const fault = issue.input === undefined ? 'is missing' : issue.message;
  throw new UnreadableFileError(`is no valid OCDS, ${place}: ${path ? `${path} ` : ''}${fault}`);
}

function pathText(keys: readonly (string | number)[]): string {
  return keys.reduce<string>((path, key) => {
    if (typeof key === 'number') return `${path}[${key}]`;
    return path ? `${path}.${key}` : key;
  }, '');
}
