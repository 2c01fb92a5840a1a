/** Renders receipts, tax invoices (CGST Rule 46) and credit notes (Rule 53) as PDF. */
import { formatDate, formatDateTime, groupIndian } from '@nivida/contract/format';
import { gstStateCode } from '@nivida/contract/orders/gst';
import { PdfDocument } from '../pdf/pdf-document.ts';
import { rupeesInWords } from './amount-words.ts';
import type { InvoiceContent, InvoiceKind } from './invoice.ts';
import type { IssuedInvoice } from './invoices.service.ts';

const INVOICE_TITLES: Readonly<Record<InvoiceKind, string>> = {
  receipt: 'Receipt',
  invoice: 'Tax invoice',
  credit_note: 'Credit note',
};
const MUTED_STYLE = { size: 9, color: '#505965' };

export async function renderInvoicePdf({ kind, number, issuedAt, content }: IssuedInvoice): Promise<Buffer> {
  const { seller, totalPaise, against, isTest, payment } = content;
  const title = INVOICE_TITLES[kind];
  const pdf = new PdfDocument(`${title} ${number}`, issuedAt, isTest ? 'TEST' : undefined);
  pdf.text(title, { size: 20, bold: true });
  if (isTest)
    pdf.text('TEST: paid in the sandbox, no money moved. This is not a document for accounts.', {
      bold: true,
      color: '#b3261e',
    });
  else if (seller.gstin) pdf.text('Original for recipient', MUTED_STYLE);
  pdf
    .space(8)
    .fact(kind === 'credit_note' ? 'Credit note number' : 'Number', number)
    .fact('Date', formatDate(issuedAt))
    .fact('Order', content.orderId)
    .fact('Against', against && `${against.number} of ${formatDate(against.issuedAt)}`);
  printParties(pdf, content);
  printSupply(pdf, content, kind);
  pdf
    .space(6)
    .fact('Amount in words', rupeesInWords(totalPaise))
    .fact('Paid by', methodText(payment.method))
    .fact('Payment reference', payment.reference)
    .fact('Paid on', formatDateTime(payment.paidAt));
  pdf.space(16).text(`For ${seller.name}`, { size: 9, bold: true });
  pdf.text(
    seller.gstin
      ? 'Digitally issued under the Information Technology Act, 2000; no signature is needed (CGST Rule 46).'
      : 'Digitally issued; valid without a signature.',
    MUTED_STYLE,
  );
  if (!seller.gstin) pdf.text('This is not a tax invoice: the seller is not registered for GST.', MUTED_STYLE);
  return pdf.finish();
}

function printParties(pdf: PdfDocument, { seller, buyer }: InvoiceContent): void {
  pdf
    .heading('Seller')
    .fact('Name', seller.name)
    .fact('Address', seller.address)
    .fact('GSTIN', seller.gstin)
    .fact('State', withCode(seller.state))
    .fact('E-mail', seller.email)
    .fact('Phone', seller.phone);
  pdf
    .heading('Buyer')
    .fact('Name', buyer.firm || buyer.name)
    .fact('Contact', buyer.firm && buyer.firm !== buyer.name ? buyer.name : '')
    .fact('Address', buyer.address)
    .fact('GSTIN', buyer.gstin || (seller.gstin && 'Not registered'));
  if (seller.gstin) pdf.fact('Place of supply', withCode(buyer.state)).fact('Reverse charge', 'No');
  else pdf.fact('State', buyer.state);
}

function printSupply(pdf: PdfDocument, content: InvoiceContent, kind: InvoiceKind): void {
  const { description, sac, taxes, taxablePaise, totalPaise, period } = content;
  pdf.heading(kind === 'credit_note' ? 'Returned' : 'Supplied');
  const line = (cells: [string, string, string], bold = false) =>
    pdf.row(
      [
        { text: cells[0], share: 0.6 },
        { text: cells[1], share: 0.15 },
        { text: cells[2], share: 0.25, align: 'right' },
      ],
      { bold },
    );
  const isTaxed = taxes.length > 0;
  line(['Description', isTaxed ? 'SAC' : '', isTaxed ? 'Taxable value' : 'Amount'], true);
  line([description, sac, rupees(taxablePaise)]);
  line([`${period.to ? 'Period of service' : 'Date of supply'}: ${periodText(period)}`, '', '']);
  for (const { name, percent, paise } of taxes) line([`${name} ${percent}%`, '', rupees(paise)]);
  pdf.rule();
  line([isTaxed ? 'Total, tax included' : 'Total', '', rupees(totalPaise)], true);
}

/** '10 Nov 2026', '10 Nov 2026, 11:30 AM to 10 Nov 2027, 11:30 AM'. */
const periodText = ({ from, to }: InvoiceContent['period']): string =>
  to ? `${formatDateTime(from)} to ${formatDateTime(to)}` : formatDate(from);

/** The provider's UPI_INTENT gives 'UPI', NET_BANKING 'Net banking'. */
function methodText(method: string | null): string {
  if (!method) return 'Not stated by the payment provider';
  if (method.toUpperCase().startsWith('UPI')) return 'UPI';
  const words = method.toLowerCase().replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

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
