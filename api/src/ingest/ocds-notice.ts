/**
 * Makes a notice of an OCDS release; of bidders and suppliers nothing is taken. Throws BadValue, with the JSON path as
 * column, for what a tender cannot do without.
 */
import { kindOfName } from '@nivida/contract/document-package';
import { formatDateTime } from '@nivida/contract/format';
import type { ListedDocument, Stage } from '../tenders/tender.entity.ts';
import {
  cleanText,
  closingInstant,
  earliest,
  optionalText,
  parseCategory,
  parseCount,
  parseDate,
  parseEstimate,
  parseRupees,
} from './normalise.ts';
import { BadValue, type Notice, noticed, type OfficialFile } from './notice.ts';
import { addressText, inviterOf } from './ocds-inviter.ts';
import type { Release, Tender } from './ocds-schema.ts';

/** What the command says about the file; both may be missing. */
export interface OcdsOptions {
  portal: string | undefined;
  /** Listed name; counts where the data name no Indian state. */
  state: string | undefined;
}

const TITLE_CHARACTERS = 250;
const MAX_ID_CHARACTERS = 200;
const OCID_PREFIX = /^ocds-[a-z0-9]{6}(?=-|$)/i;
const TYPES = { open: 'Open Tender', selective: 'Limited', limited: 'Limited', direct: 'Single' };

/** The notice of a release that has a tender section. */
export function toNotice(release: Release, options: OcdsOptions): Notice {
  const { tender } = release;
  if (!tender) throw new BadValue('tender', release.tag.join(', '), 'holds no tender section');
  const { remarks, ...stated } = dates(release, tender);
  const sourceId = cleanText(release.ocid);
  if (sourceId.length > MAX_ID_CHARACTERS)
    throw new BadValue('ocid', sourceId, `has ${sourceId.length} characters, more than an ocid can`);
  return {
    portal: portalOf(release.ocid, options),
    sourceId,
    ...wording(tender),
    ...inviterOf(release, tender, options.state),
    reference: String(tender.id) === release.ocid ? null : optionalText(tender.id),
    // One process is one tender; nothing in OCDS says that two of them share their documents.
    nitKey: null,
    category: parseCategory(tender.mainProcurementCategory),
    subCategory: optionalText(tender.items?.find((item) => item.classification)?.classification?.description),
    tenderType: tender.procurementMethod
      ? TYPES[tender.procurementMethod]
      : optionalText(tender.procurementMethodDetails),
    formOfContract: null,
    ...money(tender),
    emdPercent: null,
    emdExemptionAllowed: null,
    covers: null,
    periodOfWorkDays: parseCount(tender.contractPeriod?.durationInDays),
    bidValidityDays: null,
    bidOpeningPlace: addressText(tender.bidOpening?.address),
    preBidPlace: null,
    ...stated,
    documents: (tender.documents ?? []).map(toDocument),
    corrigenda: [...remarks, ...corrigendaOf(tender)],
    stage: stageOf(release, tender),
    ...attachments(tender),
  };
}

/** Only what there is: a notice without any must look as it did before. */
function attachments(tender: Tender): Pick<Notice, 'files' | 'boq'> {
  const files = (tender.documents ?? []).flatMap((document) => toFile(document));
  const boq = (tender.items ?? []).flatMap(({ description, quantity, unit }) => {
    const text = optionalText(description);
    return text ? [{ description: text, quantity: quantity?.toString() ?? null, unit: optionalText(unit?.name) }] : [];
  });
  return { ...(files.length > 0 && { files }), ...(boq.length > 0 && { boq }) };
}

/** Types of OCDS that say what a file is; other types are kinds of annexes. */
const OCDS_KINDS: Readonly<Partial<Record<string, OfficialFile['kind']>>> = {
  tenderNotice: 'nit',
  biddingDocuments: 'nit',
  billOfQuantity: 'boq',
};

/** Web pages are no documents. */
function toFile(document: NonNullable<Tender['documents']>[number]): OfficialFile[] {
  const url = cleanText(document.url);
  const { type, name } = toDocument(document);
  if (!/^https?:\/\//i.test(url) || type === 'html' || type === '') return [];
  const kind = OCDS_KINDS[document.documentType ?? ''] ?? kindOfName(name);
  return [{ name: name.toLowerCase().endsWith(`.${type}`) ? name : `${name}.${type}`, kind, url }];
}

/** The ocid's prefix is its publisher's; names of publishers differ between packages and are missing in JSON lines. */
function portalOf(ocid: string, { portal }: OcdsOptions): string {
  const named = portal ?? OCID_PREFIX.exec(ocid)?.[0].toLowerCase();
  if (!named) throw new BadValue('ocid', ocid, "has no prefix like 'ocds-213czf'; name the portal with --portal");
  return named;
}

function wording(tender: Tender) {
  const description = optionalText(tender.description);
  const title = optionalText(tender.title) ?? cut(description);
  if (title === null) throw new BadValue('tender.title', '', 'the tender has neither title nor description');
  return { title, description: description ?? title };
}

function cut(text: string | null): string | null {
  return text && text.length > TITLE_CHARACTERS ? `${text.slice(0, TITLE_CHARACTERS)}…` : text;
}

function money({ value, participationFees = [] }: Tender) {
  const currency = value?.currency;
  const isForeignMoney = currency && currency !== 'INR';
  const deposit = participationFees.find(({ type }) => [type].flat().includes('deposit'));
  const fee = participationFees.find(({ type }) => type === undefined || [type].flat().includes('document'));
  return {
    price: currency === 'INR' ? parseEstimate('tender.value.amount', amountText(value)) : null,
    priceText: isForeignMoney && value.amount ? `${currency} ${groupThousands(value.amount)}` : null,
    emd: rupees(deposit),
    tenderFee: rupees(fee),
  };
}

function rupees(fee: NonNullable<Tender['participationFees']>[number] | undefined): string | null {
  return fee?.value.currency === 'INR'
    ? parseRupees('tender.participationFees.value.amount', amountText(fee.value))
    : null;
}

function amountText(value: Tender['value']): string | undefined {
  return value?.amount?.toFixed(2);
}

/** '1,471,566.72'; without decimals when they are zero. */
function groupThousands(amount: number): string {
  const [whole = '', decimals] = amount.toFixed(2).split('.');
  return `${whole.replace(/\B(?=(?:\d{3})+$)/g, ',')}${decimals === '00' ? '' : `.${decimals}`}`;
}

function dates(release: Release, tender: Tender) {
  const bidStart = parseDate('tender.tenderPeriod.startDate', tender.tenderPeriod?.startDate);
  const end = tender.tenderPeriod?.endDate;
  const closes = parseDate('tender.tenderPeriod.endDate', end);
  if (!closes) throw new BadValue('tender.tenderPeriod.endDate', '', 'the tender has no closing date');
  const closesAt = closingInstant(closes);
  const { published, isConcluded, remarks } = publishing(release, tender, bidStart?.at, closesAt);
  if (closesAt < published) {
    const reason = `closes before it is published (${published.toISOString()})`;
    throw new BadValue('tender.tenderPeriod.endDate', cleanText(end), reason);
  }
  const opens =
    parseDate('tender.bidOpening.date', tender.bidOpening?.date) ??
    parseDate('tender.awardPeriod.startDate', tender.awardPeriod?.startDate);
  const preBid = tender.milestones?.find(({ type, title }) => /pre-?\s?bid/i.test(`${type ?? ''} ${title ?? ''}`));
  return {
    remarks,
    publishedAt: published,
    ...(isConcluded && { publishedIsConcluded: true as const }),
    bidStartAt: bidStart?.at ?? null,
    closesAt,
    closingTimeKnown: closes.timeKnown,
    opensAt: opens?.at ?? null,
    preBidAt: parseDate('tender.milestones.dueDate', preBid?.dueDate)?.at ?? null,
  };
}

interface Publishing {
  published: Date;
  isConcluded: boolean;
  remarks: Notice['corrigenda'];
}

/**
 * A release's own date is that of its last change, so only the release that announces the tender dates its publication.
 * Any other release came after it: the earliest other date counts, and the closing is the latest that is possible.
 */
function publishing(release: Release, tender: Tender, bidStart: Date | undefined, closesAt: Date): Publishing {
  const stated = parseDate('tender.datePublished', tender.datePublished)?.at;
  const enquiryStart = parseDate('tender.enquiryPeriod.startDate', tender.enquiryPeriod?.startDate)?.at;
  const released = parseDate('date', release.date)?.at;
  if (!released) throw new BadValue('date', release.date, 'the release has no date');
  if (stated && stated <= closesAt) return { published: stated, isConcluded: false, remarks: [] };
  if (stated) {
    const remark = `Publishing date corrected: the portal says ${formatDateTime(stated)}, after the closing`;
    return { published: earliest(stated, bidStart, enquiryStart), isConcluded: true, remarks: [noticed(remark)] };
  }
  const isAnnouncement = release.tag.every((tag) => tag === 'planning' || tag === 'tender');
  if (isAnnouncement) return { published: earliest(released, bidStart), isConcluded: false, remarks: [] };
  const published = earliest(earliest(closesAt, released), bidStart, enquiryStart);
  const remarks =
    published < closesAt ? [] : [noticed('Publishing date not given: the closing is the latest possible')];
  return { published, isConcluded: true, remarks };
}

const FILE_TYPES: Record<string, string> = {
  msword: 'doc',
  plain: 'txt',
  'vnd.ms-excel': 'xls',
  'vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
};

function toDocument(document: NonNullable<Tender['documents']>[number]): ListedDocument {
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

/** What an amendment says that it changed; the old values come from our own history. */
function corrigendaOf({ amendments = [], amendment }: Tender): Notice['corrigenda'] {
  const all = amendments.length > 0 || !amendment ? amendments : [amendment];
  return all.map(({ rationale, description }) => ({
    title: optionalText(rationale) ?? optionalText(description) ?? 'Amendment',
    type: null,
  }));
}

function stageOf(release: Release, { status }: Tender): Stage {
  if (release.awards?.some((award) => award.status === 'active')) return 'awarded';
  if (status === 'cancelled' || status === 'withdrawn' || status === 'unsuccessful') return 'cancelled';
  if (release.tag.includes('tenderCancellation')) return 'cancelled';
  return status === 'complete' ? 'under_evaluation' : 'published';
}
