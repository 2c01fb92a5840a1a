/**
 * Renders receipts, tax invoices (CGST Rule 46) and credit notes (Rule 53) as PDF. They are in English, with the heads and sentences
 * in the buyer's language beside.
 */
import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { formatDate, formatDateTime, groupIndian } from '@nivida/contract/format';
import { i18n, inLanguage } from '@nivida/contract/i18n';
import { gstStateCode } from '@nivida/contract/orders/gst';
import '../base/texts.ts';
import { PdfDocument } from '../pdf/pdf-document.ts';
import { rupeesInWords } from './amount-words.ts';
import type { InvoiceContent, InvoiceKind } from './invoice.ts';
import type { IssuedInvoice } from './invoices.service.ts';

const INVOICE_TITLES: Readonly<Record<InvoiceKind, MessageDescriptor>> = {
  receipt: msg({ message: 'Receipt', context: 'document' }),
  invoice: msg`Tax invoice`,
  credit_note: msg`Credit note`,
};
const MUTED_STYLE = { size: 9, color: '#505965' };

export const renderInvoicePdf = (invoice: IssuedInvoice): Promise<Buffer> => new InvoicePdf(invoice).render();

class InvoicePdf {
  private readonly content: InvoiceContent;
  private readonly title: string;
  private readonly pdf: PdfDocument;

  constructor(private readonly invoice: IssuedInvoice) {
    const { kind, number, issuedAt, content } = invoice;
    this.content = content;
    this.title = this.both(INVOICE_TITLES[kind]);
    this.pdf = new PdfDocument(`${this.title} ${number}`, issuedAt, content.isTest ? 'TEST' : undefined);
  }

  render(): Promise<Buffer> {
    const { kind, number, issuedAt } = this.invoice;
    const { seller, totalPaise, against, isTest, payment, orderId } = this.content;
    this.pdf.text(this.title, { size: 20, bold: true });
    if (isTest)
      this.sentence(msg`TEST: paid in the sandbox, no money moved. This is not a document for accounts.`, {
        bold: true,
        color: '#b3261e',
      });
    else if (seller.gstin) this.pdf.text(this.both(msg`Original for recipient`), MUTED_STYLE);
    this.pdf.space(8);
    this.fact(kind === 'credit_note' ? msg`Credit note number` : msg`Number`, number)
      .fact(msg`Date`, formatDate(issuedAt))
      .fact(msg`Order`, orderId)
      .fact(
        msg({ message: 'Against', context: 'a credit note and its invoice' }),
        against && `${against.number} of ${formatDate(against.issuedAt)}`,
      );
    this.printParties();
    this.printSupply();
    this.pdf.space(6);
    const ownWords = inLanguage(this.language, () => rupeesInWords(totalPaise));
    this.fact(msg`Amount in words`, joinTexts(rupeesInWords(totalPaise), ownWords, '\n'))
      .fact(msg`Paid by`, this.methodText(payment.method))
      .fact(msg`Payment reference`, payment.reference)
      .fact(msg`Paid on`, formatDateTime(payment.paidAt));
    this.pdf.space(16);
    this.sentence(msg`For ${{ seller: seller.name }}`, { size: 9, bold: true });
    this.sentence(
      seller.gstin
        ? msg`Digitally issued under the Information Technology Act, 2000; no signature is needed (CGST Rule 46).`
        : msg`Digitally issued; valid without a signature.`,
    );
    if (!seller.gstin) this.sentence(msg`This is not a tax invoice: the seller is not registered for GST.`);
    return this.pdf.finish();
  }

  private printParties(): void {
    const { seller, buyer } = this.content;
    this.pdf.heading(this.both(msg`Seller`));
    this.fact(msg`Name`, seller.name)
      .fact(msg`Address`, seller.address)
      .fact(msg`GSTIN`, seller.gstin)
      .fact(msg`State`, withCode(seller.state))
      .fact(msg`E-mail`, seller.email)
      .fact(msg`Phone`, seller.phone);
    this.pdf.heading(this.both(msg`Buyer`));
    this.fact(msg`Name`, buyer.firm || buyer.name)
      .fact(msg`Contact`, buyer.firm && buyer.firm !== buyer.name ? buyer.name : '')
      .fact(msg`Address`, buyer.address)
      .fact(msg`GSTIN`, buyer.gstin || (seller.gstin && this.both(msg`Not registered`)));
    if (seller.gstin)
      this.fact(msg`Place of supply`, withCode(buyer.state)).fact(msg`Reverse charge`, this.both(msg`No`));
    else this.fact(msg`State`, buyer.state);
  }

  private printSupply(): void {
    const { description, sac, taxes, taxablePaise, totalPaise, period } = this.content;
    this.pdf.heading(
      this.both(this.invoice.kind === 'credit_note' ? msg({ message: 'Returned', context: 'service' }) : msg`Supplied`),
    );
    const isTaxed = taxes.length > 0;
    this.printCredits();
    this.line(
      [this.both(msg`Description`), isTaxed ? 'SAC' : '', this.both(isTaxed ? msg`Taxable value` : msg`Amount`)],
      true,
    );
    this.line([description, sac, rupees(taxablePaise)]);
    const when = this.both(period.to ? msg`Period of service` : msg`Date of supply`);
    this.line([`${when}: ${periodText(period)}`, '', '']);
    for (const { name, percent, paise } of taxes) this.line([`${name} ${percent}%`, '', rupees(paise)]);
    this.pdf.rule();
    this.line([this.both(isTaxed ? msg`Total, tax included` : msg`Total`), '', rupees(totalPaise)], true);
  }

  /** The price and what was credited; the amounts below are what is left. */
  private printCredits(): void {
    const { credits = [], totalPaise } = this.content;
    if (credits.length === 0) return;
    const price = credits.reduce((sum, { paise }) => sum + paise, totalPaise);
    this.line([this.both(msg`Price, tax included`), '', rupees(price)]);
    for (const { planName, unusedDays, paise } of credits)
      this.line([this.both(msg`Credit: ${planName} plan, ${unusedDays} unused days`), '', `-${rupees(paise)}`]);
  }

  private line([description, sac, amount]: [string, string, string], bold = false): void {
    const cells = [
      { text: description, share: 0.6 },
      { text: sac, share: 0.15 },
      { text: amount, share: 0.25, align: 'right' as const },
    ];
    this.pdf.row(cells, { bold });
  }

  private fact(label: MessageDescriptor, value: string | undefined): this {
    this.pdf.fact(this.both(label), value);
    return this;
  }

  private sentence(sentence: MessageDescriptor, style: object = MUTED_STYLE): void {
    this.pdf.text(this.both(sentence, '\n'), style);
  }

  /** 'Seller / विक्रेता', 'Seller' for an English order. */
  private both(text: MessageDescriptor, between = ' / '): string {
    return joinTexts(
      i18n._(text),
      inLanguage(this.language, () => i18n._(text)),
      between,
    );
  }

  private get language() {
    return this.content.language ?? 'en';
  }

  /** The provider's UPI_INTENT gives 'UPI', NET_BANKING 'Net banking'. */
  private methodText(method: string | null): string {
    if (!method) return this.both(msg`Not stated by the payment provider`);
    if (method.toUpperCase().startsWith('UPI')) return 'UPI';
    const words = method.toLowerCase().replaceAll('_', ' ');
    return words.charAt(0).toUpperCase() + words.slice(1);
  }
}

const joinTexts = (english: string, own: string, between: string): string =>
  own === english ? english : `${english}${between}${own}`;

/** '10 Nov 2026', '10 Nov 2026, 11:30 AM to 10 Nov 2027, 11:30 AM'. */
const periodText = ({ from, to }: InvoiceContent['period']): string =>
  to ? `${formatDateTime(from)} to ${formatDateTime(to)}` : formatDate(from);

/** 'Himachal Pradesh (02)' */
function withCode(state: string): string {
  const code = gstStateCode(state);
  return code ? `${state} (${code})` : state;
}

/** 839000 paise give '₹8,390.00'. */
function rupees(paise: number): string {
  const [integerPart = '0', decimals = '00'] = (paise / 100).toFixed(2).split('.');
  return `₹${groupIndian(integerPart)}.${decimals}`;
}
