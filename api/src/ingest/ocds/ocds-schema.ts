/**
 * The requirements of OCDS 1.0 and 1.1 for packages, records and releases, and the types of every field that is read.
 * Other keys are dropped, above all those that name people and bidders. As in the standard, texts, numbers and dates
 * may be null; objects and lists may not.
 */
import * as v from 'valibot';
import { UnreadableFileError } from '../source-tender.ts';

const DATE_TIME = /^\d{4}-\d{2}-\d{2}(?:[T ](\d{2}:\d{2}:\d{2}(?:\.\d+)?)(?:Z|[+-]\d{2}:?\d{2}))?$/i;

const text = v.string('must be text');
const filledText = v.pipe(text, v.nonEmpty('must not be empty'));
const number = v.pipe(v.number('must be a number'), v.finite('must be a number'));
const textOrNull = v.nullish(text);
const days = v.nullish(v.pipe(number, v.integer('must be a whole number')));
// The standard requires a time of day. A date alone is accepted too, and distinguished from midnight.
const instant = v.pipe(text, v.check(isDateTime, 'must be a date and time like 2026-04-15T11:00:00+05:30'));
const instantOrNull = v.nullish(instant);
const id = v.union([filledText, v.pipe(number, v.integer())], 'must be text or a whole number');

function isDateTime(value: string): boolean {
  return DATE_TIME.test(value) && !Number.isNaN(Date.parse(value.replace(' ', 'T')));
}

// Valibot accepts a list as an object without keys.
function object<Entries extends v.ObjectEntries>(entries: Entries) {
  return v.pipe(v.custom<Record<string, unknown>>(isObject, 'must be an object'), v.object(entries));
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function list<Item extends v.GenericSchema>(item: Item) {
  return v.array(item, 'must be a list');
}

function oneOf<const Codes extends readonly string[]>(...codes: Codes) {
  return v.nullish(v.picklist(codes, `must be one of ${codes.join(', ')}`));
}

/** For fields of extensions, which the standard does not define: an unreadable value is ignored. */
function ifReadable<Schema extends v.GenericSchema>(schema: Schema) {
  return v.fallback(v.optional(schema), undefined);
}

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
  address: v.optional(OcdsAddress),
  contactPoint: v.optional(ContactPoint),
};
const OcdsPartySchema = object({ id: v.optional(text), roles: v.nullish(list(text)), ...OcdsParty });
const OrganizationReference = object({ id: v.optional(id), ...OcdsParty });

const Value = object({
  amount: v.nullish(number),
  currency: v.nullish(v.pipe(text, v.regex(/^[A-Z]{3}$/, 'must be a currency code like INR'))),
});

const Period = object({ startDate: instantOrNull, endDate: instantOrNull, durationInDays: days });

const Document = object({ id, documentType: textOrNull, title: textOrNull, url: textOrNull, format: textOrNull });

const Milestone = object({ id, type: textOrNull, title: textOrNull, dueDate: instantOrNull });

const Amendment = object({ id: textOrNull, rationale: textOrNull, description: textOrNull });

const Item = object({
  id,
  description: textOrNull,
  quantity: v.nullish(number),
  unit: v.optional(object({ name: textOrNull })),
  classification: v.optional(object({ description: textOrNull })),
  deliveryAddresses: v.optional(list(OcdsAddress)),
  deliveryAddress: ifReadable(OcdsAddress),
});

const ParticipationFee = object({ type: v.optional(v.union([text, list(text)])), value: Value });

const OcdsTender = object({
  id,
  title: textOrNull,
  description: textOrNull,
  status: oneOf('planning', 'planned', 'active', 'complete', 'cancelled', 'unsuccessful', 'withdrawn'),
  procuringEntity: v.optional(OrganizationReference),
  items: v.optional(list(Item)),
  value: v.optional(Value),
  deliveryAddresses: v.optional(list(OcdsAddress)),
  procurementMethod: oneOf('open', 'selective', 'limited', 'direct'),
  procurementMethodDetails: textOrNull,
  mainProcurementCategory: oneOf('goods', 'services', 'works'),
  datePublished: instantOrNull,
  tenderPeriod: v.optional(Period),
  enquiryPeriod: ifReadable(Period),
  awardPeriod: v.optional(Period),
  contractPeriod: v.optional(Period),
  documents: v.optional(list(Document)),
  milestones: v.optional(list(Milestone)),
  amendments: v.optional(list(Amendment)),
  amendment: v.optional(Amendment),
  bidOpening: ifReadable(object({ date: instantOrNull, address: v.optional(OcdsAddress) })),
  participationFees: ifReadable(list(ParticipationFee)),
  numberOfTenderers: ifReadable(v.pipe(number, v.integer(), v.minValue(0))),
  tenderers: ifReadable(list(OrganizationReference)),
});

const Award = object({
  id,
  status: oneOf('pending', 'active', 'cancelled', 'unsuccessful'),
  date: ifReadable(instantOrNull),
  value: ifReadable(Value),
  suppliers: ifReadable(list(OrganizationReference)),
});

/** Of the extension for bids. */
const Bid = object({
  status: textOrNull,
  date: ifReadable(instantOrNull),
  tenderers: ifReadable(list(OrganizationReference)),
});

const Release = object({
  ocid: filledText,
  id: filledText,
  date: instant,
  tag: v.pipe(list(text), v.nonEmpty('must not be empty')),
  initiationType: v.picklist(['tender'], 'must be "tender"'),
  parties: v.optional(list(OcdsPartySchema)),
  buyer: v.optional(OrganizationReference),
  tender: v.optional(OcdsTender),
  awards: v.optional(list(Award)),
  bids: ifReadable(object({ details: ifReadable(list(Bid)) })),
});

/** The part of a release that is read. */
export type Release = v.InferOutput<typeof Release>;
export type OcdsAddress = v.InferOutput<typeof OcdsAddress>;
export type OcdsParty = v.InferOutput<typeof OcdsPartySchema>;
export type OrganizationReference = v.InferOutput<typeof OrganizationReference>;
export type OcdsTender = v.InferOutput<typeof OcdsTender>;

const RecordShape = object({
  ocid: filledText,
  releases: v.optional(v.pipe(list(v.unknown()), v.nonEmpty('must not be empty'))),
  compiledRelease: v.optional(v.unknown()),
  versionedRelease: v.optional(v.unknown()),
});

const version = v.picklist(['1.0', '1.1'], 'must be "1.0" or "1.1"');
const NewPackage = object({ version, publisher: v.optional(object({ name: v.optional(text) })) });
// 1.0 had no version; it required publisher and date of the package. Publishers leave address and date empty.
const OldPackage = object({
  uri: text,
  publishedDate: v.union([v.literal(''), instant], 'must be a date and time like 2026-04-15T11:00:00+05:30'),
  publisher: object({ name: text }),
});

/** A release by the standard; throws UnreadableFileError with the position ('…, release 3: tender.id is missing'). */
export function checkRelease(value: unknown, place: string, within = ''): Release {
  return check(Release, value, place, within);
}

/** Checks a record without its releases, which are checked one by one. Throws UnreadableFileError. */
export function checkRecord(value: unknown, place: string): v.InferOutput<typeof RecordShape> {
  return check(RecordShape, value, place);
}

/** Checks the keys of a package and that it has releases or records, not their content. Throws UnreadableFileError. */
export function checkPackage(value: Record<string, unknown>, place: string): void {
  if (value.releases === undefined && value.records === undefined)
    throw new UnreadableFileError(`is no valid OCDS, ${place}: has neither releases nor records`);
  check(object({ releases: v.optional(list(v.unknown())), records: v.optional(list(v.unknown())) }), value, place);
  if (value.version === undefined) check(OldPackage, value, place);
  else check(NewPackage, value, place);
}

function check<Schema extends v.GenericSchema>(
  schema: Schema,
  value: unknown,
  place: string,
  within = '',
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, value, { abortEarly: true });
  if (result.success) return result.output;
  const [issue] = result.issues;
  const path = pathOf(within, issue.path ?? []);
  const fault = issue.input === undefined ? 'is missing' : issue.message;
  throw new UnreadableFileError(`is no valid OCDS, ${place}: ${path ? `${path} ` : ''}${fault}`);
}

function pathOf(within: string, parts: readonly { key?: unknown }[]): string {
  return parts.reduce((path, { key }) => {
    if (typeof key === 'number') return `${path}[${key}]`;
    return path ? `${path}.${key}` : String(key);
  }, within);
}
