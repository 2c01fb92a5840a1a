/** Prints a paper as PDF. */
import { formatDate, groupIndian } from '@nivida/contract/format';
import { Paper } from '../documents/pdf.service.ts';
import { stateCode } from './gst.ts';
import type { IssuedPaper } from './invoices.service.ts';
import type { PaperKind } from './paper.ts';

const TITLES: Readonly<Record<PaperKind, string>> = {
  receipt: 'Receipt',
  invoice: 'Tax invoice',
  credit_note: 'Credit note',
};
const MUTED = { size: 9, color: '#505965' };

/** The paper as the bytes of a PDF. */
export async function printPaper({ kind, number, issuedAt, content }: IssuedPaper): Promise<Buffer> {
  const { seller, buyer, taxes, totalPaise, against, isTest } = content;
  const title = TITLES[kind];
  const paper = new Paper(`${title} ${number}`, issuedAt, isTest ? 'TEST' : undefined);
  paper.text(title, { size: 20, bold: true });
  if (isTest)
    paper.text('TEST: paid in the sandbox, no money moved. This is not a document for accounts.', {
      bold: true,
      color: '#b3261e',
    });
  paper
    .space(8)
    .fact('Number', number)
    .fact('Date', formatDate(issuedAt))
    .fact('Order', content.orderId)
    .fact('For', against && `${against.number} of ${formatDate(against.issuedAt)}`);
  paper
    .heading('Seller')
    .fact('Name', seller.name)
    .fact('Address', seller.address)
    .fact('GSTIN', seller.gstin)
    .fact('State', withCode(seller.state))
    .fact('E-mail', seller.email)
    .fact('Phone', seller.phone);
  paper.heading('Buyer').fact('Name', buyer.name).fact('GSTIN', buyer.gstin);
  if (seller.gstin) paper.fact('Place of supply', withCode(buyer.state)).fact('Reverse charge', 'No');
  else paper.fact('State', buyer.state);

  const line = (text: string, amount: string, bold = false) =>
    paper.row(
      [
        { text, share: 0.75 },
        { text: amount, share: 0.25, align: 'right' },
      ],
      { bold },
    );
  paper.heading(kind === 'credit_note' ? 'Returned' : 'Paid');
  line(
    content.sac ? `${content.description} (SAC ${content.sac}, quantity 1)` : content.description,
    rupees(content.taxablePaise),
  );
  if (taxes.length > 0) line('Taxable value', rupees(content.taxablePaise));
  for (const { name, percent, paise } of taxes) line(`${name} ${percent}%`, rupees(paise));
  paper.rule();
  line(taxes.length > 0 ? 'Total, tax included' : 'Total', rupees(totalPaise), true);
  paper.space(16).text('Issued electronically; valid without a signature.', MUTED);
  if (kind === 'receipt') paper.text('This is not a tax invoice: the seller is not registered for GST.', MUTED);
  return paper.finish();
}

/** 'Himachal Pradesh (02)' */
function withCode(state: string): string {
  const code = stateCode(state);
  return code ? `${state} (${code})` : state;
}

/** '₹8,390.00' of 839000 paise. */
function rupees(paise: number): string {
  const [whole = '0', decimals = '00'] = (paise / 100).toFixed(2).split('.');
  return `₹${groupIndian(whole)}.${decimals}`;
}
