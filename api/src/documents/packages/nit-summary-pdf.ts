/** Our summary of an NIT as PDF: all published fields, the corrigenda and the source. */
import { setImmediate as immediate } from 'node:timers/promises';
import { amountText, formatDate, formatDateTime, formatExactRupees } from '@nivida/contract/format';
import { isBidderUpload } from '@nivida/contract/orders/document-package';
import { portalInfo } from '@nivida/contract/tenders/portals';
import { PdfDocument } from '../../pdf/pdf-document.ts';
import type { CorrigendumEntity, FieldChange, TenderEntity } from '../../tenders/tender.entity.ts';
import { isDemonstration, type NitContents } from './nit.ts';

const MUTED_STYLE = { size: 8, color: '#505965' };
const FIELD_LABELS: Readonly<Record<string, string>> = {
  closing_date: 'Closing',
  opening_date: 'Opening',
  bid_start_date: 'Bids from',
  price: 'Estimate',
  emd: 'Earnest money',
  documents: 'Documents',
};

/** The summary of an NIT as PDF. */
export async function renderNitSummary(nit: NitContents, now: Date): Promise<Buffer> {
  const [first] = nit.works;
  if (!first) throw new Error('An NIT has a work');
  const isMadeUp = isDemonstration(nit.works);
  const pdf = new PdfDocument(
    `Summary of ${first.reference ?? first.sourceId}`,
    now,
    isMadeUp ? 'DEMONSTRATION' : undefined,
  );
  pdf.text('Summary of the notice inviting tenders', MUTED_STYLE).text(first.title, { size: 15, bold: true });
  if (isMadeUp) pdf.text('DEMONSTRATION: this is not a live tender.', { bold: true, color: '#b3261e' });
  if (nit.works.length > 1) pdf.text(`${nit.works.length} works share this notice and its documents.`);
  await printFacts(pdf, nit.works);
  printDocumentList(pdf, first);
  printCorrigenda(pdf, nit);
  printSource(pdf, first, now);
  return pdf.finish();
}

type LabelledValue = readonly [label: string, value: string | null | undefined];

/** Prints the common fields once, then the fields of each work. */
async function printFacts(pdf: PdfDocument, works: readonly TenderEntity[]): Promise<void> {
  const all = works.map(workFacts);
  const isShared = (index: number) => all.every((facts) => facts[index]?.[1] === all[0]?.[index]?.[1]);
  pdf.heading(works.length > 1 ? 'All works' : 'The tender');
  for (const [index, [label, value]] of (all[0] ?? []).entries()) if (isShared(index)) pdf.fact(label, value);
  if (works.length === 1) return;
  for (const [at, facts] of all.entries()) {
    // A notice may have a hundred works: yield to other requests between them.
    await immediate();
    pdf.heading(`Work ${works[at]?.sourceId}`);
    for (const [index, [label, value]] of facts.entries()) if (!isShared(index)) pdf.fact(label, value);
  }
}

function workFacts(work: TenderEntity): LabelledValue[] {
  return [
    ['Work', work.title],
    ['Description', work.description === work.title ? null : work.description],
    ['Tender ID', work.sourceId],
    ['Reference', work.reference],
    ['Organisation', work.organisationChain.join(' › ')],
    ['Department', work.department],
    ['State, district', joined(work.state, work.district, work.secondDistrict)],
    ['Category', joined(work.category, work.subCategory)],
    ['Type of tender', work.tenderType],
    ['Form of contract', work.formOfContract],
    ['Covers', work.covers?.toString()],
    ['Estimate', work.price === null ? (work.priceText ?? 'Not specified') : formatExactRupees(work.price)],
    ['Earnest money (EMD)', withPercent(emdInFull(work.emd), work.emdPercent)],
    ['EMD exemption', yesNo(work.emdExemptionAllowed, 'Allowed', 'Not allowed')],
    ['Tender fee', work.tenderFee && formatExactRupees(work.tenderFee)],
    ['Period of work', days(work.periodOfWorkDays)],
    ['Bid validity', days(work.bidValidityDays)],
    ['Place', joined(work.place, work.address, work.pincode)],
    ['Contact', work.contactDesignation],
    ['Published', formatDateTime(work.publishedAt)],
    ['Bids from', work.bidStartAt && formatDateTime(work.bidStartAt)],
    [
      'Closing',
      work.closingTimeKnown ? formatDateTime(work.closesAt) : `${formatDate(work.closesAt)}, time not stated`,
    ],
    ['Opening', work.opensAt && formatDateTime(work.opensAt)],
    ['Opening place', work.bidOpeningPlace],
    ['Pre-bid meeting', work.preBidAt && joined(formatDateTime(work.preBidAt), work.preBidPlace)],
  ];
}

function printDocumentList(pdf: PdfDocument, { documents }: TenderEntity): void {
  const lists = [
    ['What you must upload', documents.filter(isBidderUpload)],
    ['Documents that the portal lists', documents.filter((document) => !isBidderUpload(document))],
  ] as const;
  for (const [heading, listed] of lists) {
    if (listed.length === 0) continue;
    pdf.heading(heading);
    if (heading === 'What you must upload')
      pdf
        .text('The documents that the bidder uploads, by cover. They are not part of this package.', MUTED_STYLE)
        .space(4);
    for (const { cover, type, name } of listed) pdf.fact(cover || 'Document', [name, type].filter(Boolean).join(' · '));
  }
}

function printCorrigenda(pdf: PdfDocument, { corrigenda, works }: NitContents): void {
  pdf.heading('Corrigenda');
  if (corrigenda.length === 0) pdf.text('None is known.', { size: 9 });
  for (const corrigendum of corrigenda) {
    const work = works.find(({ id }) => id === corrigendum.tenderId);
    pdf.fact(formatDateTime(corrigendum.noticedAt), corrigendumText(corrigendum, works.length > 1 ? work : undefined));
  }
}

function corrigendumText({ title, type, changes }: CorrigendumEntity, work: TenderEntity | undefined): string {
  const what = [work?.sourceId, type, title].filter(Boolean).join(' · ');
  return [what, ...changes.map(changeText)].join('\n');
}

function changeText({ field, old, new: now }: FieldChange): string {
  // Written in words because the fonts have no arrow.
  return `${FIELD_LABELS[field] ?? field}: ${valueText(field, old)}, changed to ${valueText(field, now)}`;
}

function valueText(field: string, value: unknown): string {
  if (value === null || value === undefined) return 'none';
  if (field.endsWith('_date')) return formatDateTime(String(value));
  if (field === 'price' || field === 'emd') return formatExactRupees(String(value));
  return String(value);
}

function printSource(pdf: PdfDocument, { portal, fetchedAt }: TenderEntity, now: Date): void {
  const { name, address } = portalInfo(portal);
  pdf
    .heading('Source')
    .fact('Portal', [name, address].filter(Boolean).join(', '))
    .fact('Last compared', formatDateTime(fetchedAt))
    .fact('Written', formatDateTime(now))
    .space(6)
    .text(
      'Official documents are free at the portal, and only what stands there counts. Nivida is not a government site; bids are submitted at the portal.',
      MUTED_STYLE,
    );
}

/** Like `amountText`, but exact to the rupee. */
const emdInFull = (emd: string | null): string =>
  emd !== null && Number(emd) > 0 ? formatExactRupees(emd) : amountText(emd);
const joined = (...parts: (string | null)[]): string => parts.filter(Boolean).join(', ');
const days = (count: number | null): string | null => (count === null ? null : `${count} days`);
const withPercent = (text: string, percent: string | null) => (percent ? `${text} (${Number(percent)}%)` : text);
const yesNo = (value: boolean | null, yes: string, no: string) => (value === null ? null : value ? yes : no);
