/** Our summary of an NIT as PDF: all published fields, the corrigenda and the source. */

import { setImmediate as immediate } from 'node:timers/promises';
import type { MessageDescriptor } from '@lingui/core';
import { msg, plural, t } from '@lingui/core/macro';
import { formatDate, formatDateTime, formatExactRupees } from '@nivida/contract/format';
import { i18n, inLanguage } from '@nivida/contract/i18n';
import type { Language } from '@nivida/contract/languages';
import { isBidderUpload } from '@nivida/contract/orders/document-package';
import { missingValueText, tenderAmount } from '@nivida/contract/tenders/missing-value';
import { portalInfo } from '@nivida/contract/tenders/portals';
import '../../base/texts.ts';
import { PdfDocument } from '../../pdf/pdf-document.ts';
import type { CorrigendumEntity, FieldChange, TenderEntity } from '../../tenders/tender.entity.ts';
import { isDemonstration, type NitContents } from './nit.ts';

const MUTED_STYLE = { size: 8, color: '#505965' };
const FIELD_LABELS: Readonly<Record<string, MessageDescriptor>> = {
  closing_date: msg`Closing`,
  opening_date: msg`Opening`,
  bid_start_date: msg`Bids from`,
  price: msg`Estimate`,
  emd: msg`Earnest money`,
  documents: msg`Documents`,
};

/** The summary of an NIT as PDF, in one language. What the portal wrote stays as published. */
export async function renderNitSummary(nit: NitContents, now: Date, language: Language): Promise<Buffer> {
  const { works } = nit;
  const [first] = works;
  if (!first) throw new Error('An NIT has a work');
  const { pdf, shared, facts } = inLanguage(language, () => {
    const begun = beginSummary(nit, first, now);
    const facts = works.map(workFacts);
    const shared = (index: number) => facts.every((each) => each[index]?.[1] === facts[0]?.[index]?.[1]);
    printFacts(begun, works.length > 1 ? t`All works` : t`The tender`, facts[0], shared);
    return { pdf: begun, shared, facts };
  });
  if (works.length > 1)
    for (const [at, { sourceId }] of works.entries()) {
      // A notice may have a hundred works: yield to other requests between them.
      await immediate();
      inLanguage(language, () => printFacts(pdf, t`Work ${sourceId}`, facts[at], (index) => !shared(index)));
    }
  inLanguage(language, () => {
    printDocumentList(pdf, first);
    printCorrigenda(pdf, nit);
    printSource(pdf, first, now);
  });
  return pdf.finish();
}

function beginSummary({ works }: NitContents, first: TenderEntity, now: Date): PdfDocument {
  const isMadeUp = isDemonstration(works);
  const pdf = new PdfDocument(
    t`Summary of ${{ tender: first.reference ?? first.sourceId }}`,
    now,
    isMadeUp ? t({ message: 'DEMONSTRATION', context: 'across a page' }) : undefined,
  );
  pdf.text(t`Summary of the notice inviting tenders`, MUTED_STYLE).text(first.title, { size: 15, bold: true });
  if (isMadeUp) pdf.text(t`DEMONSTRATION: this is not a live tender.`, { bold: true, color: '#b3261e' });
  const count = works.length;
  if (count > 1)
    pdf.text(
      plural(count, {
        one: '# work has this notice and its documents.',
        other: '# works share this notice and its documents.',
      }),
    );
  return pdf;
}

type LabelledValue = readonly [label: string, value: string | null | undefined];

function printFacts(
  pdf: PdfDocument,
  heading: string,
  facts: readonly LabelledValue[] = [],
  isPrinted: (index: number) => boolean,
): void {
  pdf.heading(heading);
  for (const [index, [label, value]] of facts.entries()) if (isPrinted(index)) pdf.fact(label, value);
}

function workFacts(work: TenderEntity): LabelledValue[] {
  return [
    [t`Work`, work.title],
    [t`Description`, work.description === work.title ? null : work.description],
    [t`Tender ID`, work.sourceId],
    [t`Reference`, work.reference],
    [t`Organisation`, work.organisationChain.join(' › ')],
    [t`Department`, work.department],
    [t`State, district`, joined(work.state, work.district, work.secondDistrict)],
    [t`Category`, joined(work.category, work.subCategory)],
    [t`Type of tender`, work.tenderType],
    [t`Form of contract`, work.formOfContract],
    [t`Covers`, work.covers?.toString()],
    [
      t`Estimate`,
      work.price === null
        ? (work.priceText ?? missingValueText({ is_listed: work.isListed }))
        : formatExactRupees(work.price),
    ],
    [t`Earnest money (EMD)`, withPercent(emdInFull(work), work.emdPercent)],
    [t`EMD exemption`, yesNo(work.emdExemptionAllowed, t`Allowed`, t`Not allowed`)],
    [t`Tender fee`, work.tenderFee && formatExactRupees(work.tenderFee)],
    [t`Period of work`, days(work.periodOfWorkDays)],
    [t`Bid validity`, days(work.bidValidityDays)],
    [t`Place`, joined(work.place, work.address, work.pincode)],
    [t`Contact`, work.contactDesignation],
    [t`Published`, formatDateTime(work.publishedAt)],
    [t`Bids from`, work.bidStartAt && formatDateTime(work.bidStartAt)],
    [
      t`Closing`,
      work.closingTimeKnown
        ? formatDateTime(work.closesAt)
        : t`${{ date: formatDate(work.closesAt) }}, time not stated`,
    ],
    [t`Opening`, work.opensAt && formatDateTime(work.opensAt)],
    [t`Opening place`, work.bidOpeningPlace],
    [t`Pre-bid meeting`, work.preBidAt && joined(formatDateTime(work.preBidAt), work.preBidPlace)],
  ];
}

function printDocumentList(pdf: PdfDocument, { documents }: TenderEntity): void {
  const uploads = documents.filter(isBidderUpload);
  const others = documents.filter((document) => !isBidderUpload(document));
  if (uploads.length > 0)
    pdf
      .heading(t`What you must upload`)
      .text(t`The documents that the bidder uploads, by cover. They are not part of this package.`, MUTED_STYLE)
      .space(4);
  printDocuments(pdf, uploads);
  if (others.length > 0) pdf.heading(t`Documents that the portal lists`);
  printDocuments(pdf, others);
}

function printDocuments(pdf: PdfDocument, documents: TenderEntity['documents']): void {
  for (const { cover, type, name } of documents)
    pdf.fact(cover || t`Document`, [name, type].filter(Boolean).join(' · '));
}

function printCorrigenda(pdf: PdfDocument, { corrigenda, works }: NitContents): void {
  pdf.heading(t`Corrigenda`);
  if (corrigenda.length === 0) pdf.text(t`None is known.`, { size: 9 });
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
  const label = FIELD_LABELS[field];
  // Written in words because the fonts have no arrow.
  return t`${{ field: label ? i18n._(label) : field }}: ${{ before: valueText(field, old) }}, changed to ${{ after: valueText(field, now) }}`;
}

function valueText(field: string, value: unknown): string {
  if (value === null || value === undefined) return t({ message: 'none', context: 'no value' });
  if (field.endsWith('_date')) return formatDateTime(String(value));
  if (field === 'price' || field === 'emd') return formatExactRupees(String(value));
  return String(value);
}

function printSource(pdf: PdfDocument, { portal, fetchedAt }: TenderEntity, now: Date): void {
  const { name, address } = portalInfo(portal);
  pdf
    .heading(t`Source`)
    .fact(t`Portal`, [name, address].filter(Boolean).join(', '))
    .fact(t`Last compared`, formatDateTime(fetchedAt))
    .fact(t({ message: 'Written', context: 'when a document was written' }), formatDateTime(now))
    .space(6)
    .text(
      t`Official documents are free at the portal, and only what stands there counts. Nivida is not a government site; bids are submitted at the portal.`,
      MUTED_STYLE,
    );
}

/** Like `tenderAmount`, but exact to the rupee. */
const emdInFull = ({ emd, isListed }: TenderEntity): string =>
  emd !== null && Number(emd) > 0 ? formatExactRupees(emd) : tenderAmount(emd, { is_listed: isListed });
const joined = (...parts: (string | null)[]): string => parts.filter(Boolean).join(', ');
const days = (count: number | null): string | null =>
  count === null ? null : plural(count, { one: '# day', other: '# days' });
const withPercent = (text: string, percent: string | null) => (percent ? `${text} (${Number(percent)}%)` : text);
const yesNo = (value: boolean | null, yes: string, no: string) => (value === null ? null : value ? yes : no);
