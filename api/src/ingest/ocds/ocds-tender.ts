/**
 * Converts an OCDS release to a source tender, without bidders and suppliers. Throws InvalidValueError, with the JSON path as
 * column, for a missing required field.
 */

import { formatDateTime } from '@nivida/contract/format';
import { fileKindFromName } from '@nivida/contract/orders/document-package';
import type { TenderStage } from '@nivida/contract/tenders/status';
import type { ListedDocument } from '../../tenders/tender.entity.ts';
import {
  cleanText,
  earliest,
  isPlaceholderEstimate,
  nitKeyOf,
  optionalText,
  parseCategory,
  parseCount,
  parseDate,
  parseEstimate,
  parsePincode,
  parseRupees,
  toClosingInstant,
} from '../cells/normalise.ts';
import { contradictionEntry, InvalidValueError, type OfficialFile, type SourceTender } from '../source-tender.ts';
import { addressText, readInviter } from './ocds-inviter.ts';
import type { NividaFields, OcdsTender, Release, StatedRelease } from './ocds-schema.ts';

/** Options of the command for the file; both may be missing. */
export interface OcdsOptions {
  portal: string | undefined;
  /** Listed name of the state. It is used when the data name no Indian state. */
  state: string | undefined;
}

const MAX_TITLE_CHARACTERS = 250;
const MAX_ID_CHARACTERS = 200;
const OCID_PREFIX = /^ocds-[a-z0-9]{6}(?=-|$)/i;
const TENDER_TYPES = { open: 'Open Tender', selective: 'Limited', limited: 'Limited', direct: 'Single' };

/** The source tender of a release that has a tender section. */
export function toSourceTender(release: Release, options: OcdsOptions): SourceTender {
  const { tender } = release;
  if (!tender) throw new InvalidValueError('tender', release.tag.join(', '), 'holds no tender section');
  const { remarks, ...stated } = readDates(release, tender);
  const process = processKey(release, options);
  if (process instanceof InvalidValueError) throw process;
  const { nivida } = release;
  const stage = nivida?.stage ?? readStage(release, tender);
  const reference = String(tender.id) === release.ocid ? null : optionalText(tender.id);
  return {
    ...process,
    ...readTexts(tender),
    ...readInviter(release, tender, options.state),
    reference,
    // OCDS has no field for tenders that share documents, so each process of another publisher is a tender of its own.
    nitKey: nivida ? nitKeyOf({ ...process, reference }) : null,
    category: parseCategory(tender.mainProcurementCategory),
    subCategory: optionalText(tender.items?.find((item) => item.classification)?.classification?.description),
    tenderType: tender.procurementMethod
      ? TENDER_TYPES[tender.procurementMethod]
      : optionalText(tender.procurementMethodDetails),
    formOfContract: null,
    ...readAmounts(tender),
    emdPercent: null,
    emdExemptionAllowed: null,
    covers: null,
    periodOfWorkDays: parseCount(tender.contractPeriod?.durationInDays),
    bidValidityDays: null,
    bidOpeningPlace: addressText(tender.bidOpening?.address),
    preBidPlace: null,
    ...stated,
    documents: (tender.documents ?? []).map(toListedDocument).filter(isStated),
    corrigenda: [...remarks, ...readCorrigenda(tender)],
    stage,
    ...readAttachments(tender),
    ...(nivida && readNividaFields(nivida)),
  };
}

/** The values of our own export, which have precedence. */
function readNividaFields(nivida: NividaFields): Partial<SourceTender> {
  const chain = nivida.organisationChain?.map(cleanText).filter((name) => name !== '');
  return {
    ...(chain && chain.length > 0 && { organisationChain: chain }),
    address: optionalText(nivida.address),
    place: optionalText(nivida.place),
    pincode: parsePincode(nivida.pincode),
    subCategory: optionalText(nivida.subCategory),
    tenderType: optionalText(nivida.tenderType),
    formOfContract: optionalText(nivida.formOfContract),
    emdPercent: parseRupees('nivida.emdPercent', nivida.emdPercent),
    emdExemptionAllowed: nivida.emdExemptionAllowed ?? null,
    covers: parseCount(nivida.covers),
    bidValidityDays: parseCount(nivida.bidValidityDays),
    preBidPlace: optionalText(nivida.preBidPlace),
    ...(nivida.closingTimeKnown !== undefined && { closingTimeKnown: nivida.closingTimeKnown }),
    ...(nivida.isListed && { isListed: true as const }),
  };
}

/** Fields without a value are left out, so that the digest of a tender without any does not change. */
function readAttachments(tender: OcdsTender): Pick<SourceTender, 'files' | 'boq'> {
  const files = (tender.documents ?? []).flatMap((document) => toOfficialFile(document));
  const boq = (tender.items ?? []).flatMap(({ description, quantity, unit }) => {
    const text = optionalText(description);
    return text ? [{ description: text, quantity: quantity?.toString() ?? null, unit: optionalText(unit?.name) }] : [];
  });
  return { ...(files.length > 0 && { files }), ...(boq.length > 0 && { boq }) };
}

/** OCDS document types of NIT and BOQ; other types are kinds of annexes. */
const FILE_KINDS_BY_TYPE: Readonly<Partial<Record<string, OfficialFile['kind']>>> = {
  tenderNotice: 'nit',
  biddingDocuments: 'nit',
  billOfQuantity: 'boq',
};

/** A document as an official file; none for a web page. */
function toOfficialFile(document: NonNullable<OcdsTender['documents']>[number]): OfficialFile[] {
  const url = cleanText(document.url);
  const { type, name } = toListedDocument(document);
  if (!/^https?:\/\//i.test(url) || type === 'html' || type === '') return [];
  const kind = FILE_KINDS_BY_TYPE[document.documentType ?? ''] ?? fileKindFromName(name);
  return [{ name: name.toLowerCase().endsWith(`.${type}`) ? name : `${name}.${type}`, kind, url }];
}

/**
 * The unique key of a process. It uses the ocid, whose prefix identifies the publisher. Names of publishers differ between
 * packages and are missing in JSON lines. A release of our own export has the key of its portal, which counts unless the
 * file is imported as one of another portal.
 */
export function processKey(
  { ocid, nivida }: Pick<StatedRelease, 'ocid' | 'nivida'>,
  options: OcdsOptions,
): Pick<SourceTender, 'portal' | 'sourceId'> | InvalidValueError {
  const own = cleanText(nivida?.sourceId);
  if (
    nivida?.portal &&
    own !== '' &&
    own.length <= MAX_ID_CHARACTERS &&
    (options.portal ?? nivida.portal) === nivida.portal
  )
    return { portal: nivida.portal, sourceId: own };
  const sourceId = cleanText(ocid);
  if (sourceId.length > MAX_ID_CHARACTERS)
    return new InvalidValueError('ocid', sourceId, `has ${sourceId.length} characters, more than an ocid can`);
  const portal = options.portal ?? OCID_PREFIX.exec(ocid)?.[0].toLowerCase();
  return portal === undefined
    ? new InvalidValueError('ocid', ocid, "has no prefix like 'ocds-213czf'; name the portal with --portal")
    : { portal, sourceId };
}

function readTexts(tender: OcdsTender) {
  const description = optionalText(tender.description);
  const title = optionalText(tender.title) ?? truncateTitle(description);
  if (title === null) throw new InvalidValueError('tender.title', '', 'the tender has neither title nor description');
  return { title, description: description ?? title };
}

function truncateTitle(text: string | null): string | null {
  return text && text.length > MAX_TITLE_CHARACTERS ? `${text.slice(0, MAX_TITLE_CHARACTERS)}…` : text;
}

function readAmounts({ value, participationFees = [] }: OcdsTender) {
  const currency = value?.currency;
  const isForeignMoney = currency && currency !== 'INR';
  const deposit = participationFees.find(({ type }) => [type].flat().includes('deposit'));
  const fee = participationFees.find(({ type }) => type === undefined || [type].flat().includes('document'));
  const stated = {
    price: currency === 'INR' ? parseEstimate('tender.value.amount', amountText(value)) : null,
    emd: feeInRupees(deposit),
    tenderFee: feeInRupees(fee),
  };
  return {
    ...stated,
    price: isPlaceholderEstimate(stated) ? null : stated.price,
    priceText: isForeignMoney && value.amount ? `${currency} ${groupThousands(value.amount)}` : null,
  };
}

function feeInRupees(fee: NonNullable<OcdsTender['participationFees']>[number] | undefined): string | null {
  return fee?.value?.currency === 'INR'
    ? parseRupees('tender.participationFees.value.amount', amountText(fee.value))
    : null;
}

function amountText(value: OcdsTender['value']): string | undefined {
  return value?.amount?.toFixed(2);
}

/** '1,471,566.72'; without decimals when they are zero. */
function groupThousands(amount: number): string {
  const [integerPart = '', decimals] = amount.toFixed(2).split('.');
  return `${integerPart.replace(/\B(?=(?:\d{3})+$)/g, ',')}${decimals === '00' ? '' : `.${decimals}`}`;
}

function readDates(release: Release, tender: OcdsTender) {
  const bidStart = parseDate('tender.tenderPeriod.startDate', tender.tenderPeriod?.startDate);
  const end = tender.tenderPeriod?.endDate;
  const closes = parseDate('tender.tenderPeriod.endDate', end);
  if (!closes) throw new InvalidValueError('tender.tenderPeriod.endDate', '', 'the tender has no closing date');
  const closesAt = toClosingInstant(closes);
  const { published, isInferred, remarks } = readPublishing(release, tender, bidStart?.at, closesAt);
  if (closesAt < published) {
    const reason = `closes before it is published (${published.toISOString()})`;
    throw new InvalidValueError('tender.tenderPeriod.endDate', cleanText(end), reason);
  }
  const opens =
    parseDate('tender.bidOpening.date', tender.bidOpening?.date) ??
    parseDate('tender.awardPeriod.startDate', tender.awardPeriod?.startDate);
  const preBid = tender.milestones?.find(({ type, title }) => /pre-?\s?bid/i.test(`${type ?? ''} ${title ?? ''}`));
  return {
    remarks,
    publishedAt: published,
    ...(isInferred && { isPublishedInferred: true as const }),
    bidStartAt: bidStart?.at ?? null,
    closesAt,
    closingTimeKnown: closes.timeKnown,
    opensAt: opens?.at ?? null,
    preBidAt: parseDate('tender.milestones.dueDate', preBid?.dueDate)?.at ?? null,
  };
}

interface PublishingDate {
  published: Date;
  isInferred: boolean;
  remarks: SourceTender['corrigenda'];
}

/**
 * The publishing date. The date of a release is that of its last change, so it is used only from the release that announces
 * the tender. For others the earliest other date is used, at most the closing.
 */
function readPublishing(
  release: Release,
  tender: OcdsTender,
  bidStart: Date | undefined,
  closesAt: Date,
): PublishingDate {
  const stated = parseDate('tender.datePublished', tender.datePublished)?.at;
  const enquiryStart = parseDate('tender.enquiryPeriod.startDate', tender.enquiryPeriod?.startDate)?.at;
  const released = parseDate('date', release.date)?.at;
  if (!released) throw new InvalidValueError('date', release.date, 'the release has no date');
  if (stated && stated <= closesAt) return { published: stated, isInferred: false, remarks: [] };
  if (stated) {
    const remark = `Publishing date corrected: the portal says ${formatDateTime(stated)}, after the closing`;
    return {
      published: earliest(stated, bidStart, enquiryStart),
      isInferred: true,
      remarks: [contradictionEntry(remark)],
    };
  }
  const announced = parseDate('date', release.announced)?.at;
  if (announced) return { published: earliest(announced, bidStart), isInferred: false, remarks: [] };
  const published = earliest(earliest(closesAt, released), bidStart, enquiryStart);
  const remarks =
    published < closesAt ? [] : [contradictionEntry('Publishing date not given: the closing is the latest possible')];
  return { published, isInferred: true, remarks };
}

const FILE_TYPES: Record<string, string> = {
  msword: 'doc',
  plain: 'txt',
  'vnd.ms-excel': 'xls',
  'vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
};

function toListedDocument(document: NonNullable<OcdsTender['documents']>[number]): ListedDocument {
  const file =
    cleanText(document.url)
      .replace(/[?#].*$/, '')
      .split('/')
      .at(-1) ?? '';
  const format = cleanText(document.format).toLowerCase().split('/').at(-1)?.split(';')[0] ?? '';
  return {
    cover: cleanText(document.documentType),
    type: FILE_TYPES[format] ?? (format || (/\.([a-z0-9]{2,5})$/i.exec(file)?.[1]?.toLowerCase() ?? '')),
    name: optionalText(document.title) ?? file,
  };
}

/** False for a document whose values a later release has removed: a list of OCDS loses no entry. */
const isStated = ({ cover, type, name }: ListedDocument) => cover !== '' || type !== '' || name !== '';

/** The corrigenda that amendments name. Their old values come from our own history. */
function readCorrigenda({ amendments = [], amendment }: OcdsTender): SourceTender['corrigenda'] {
  const all = amendments.length > 0 || !amendment ? amendments : [amendment];
  return all.map(({ rationale, description, type }) => ({
    title: optionalText(rationale) ?? optionalText(description) ?? 'Amendment',
    type: optionalText(type),
  }));
}

function readStage(release: Release, { status }: OcdsTender): TenderStage {
  if (release.awards?.some((award) => award.status === 'active')) return 'awarded';
  if (release.contracts?.some((contract) => /^(?:active|terminated)$/i.test(contract.status ?? ''))) return 'awarded';
  if (status === 'cancelled' || status === 'withdrawn' || status === 'unsuccessful') return 'cancelled';
  return status === 'complete' ? 'under_evaluation' : 'published';
}
