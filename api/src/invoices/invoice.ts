/** What stands on a receipt, a tax invoice or a credit note, as it was when it was issued. */
import type { GstTax } from './gst-split.ts';

export type InvoiceKind = 'receipt' | 'invoice' | 'credit_note';

/** Kept with the number and never changed; of the buyer nothing but what the law asks for, since it outlives the account. */
export interface InvoiceContent {
  seller: { name: string; address: string; gstin: string; state: string; email: string; phone: string };
  /** `firm` and `address` of a buyer with a GSTIN only. */
  buyer: { name: string; state: string; gstin: string; firm?: string; address?: string };
  /** Public id of the order. */
  orderId: string;
  description: string;
  /** '' on a receipt. */
  sac: string;
  taxablePaise: number;
  /** Empty on a receipt. */
  taxes: GstTax[];
  totalPaise: number;
  /** When the service is given, exclusive of `to`; a delivery has one instant. Absent on papers of earlier versions, like `payment`. */
  period?: { from: string; to: string | null };
  payment?: { reference: string; method: string | null; paidAt: string };
  /** Paid in the sandbox: no money moved. */
  isTest: boolean;
  /** Number and day of the paper that a credit note takes back. */
  against?: { number: string; issuedAt: string };
}

const INDIAN_OFFSET_MS = 330 * 60_000;
const NUMBER_DIGITS = 7;

/** The financial year of an instant, April to March in India: '26-27'. */
export function financialYear(at: Date): string {
  const india = new Date(at.getTime() + INDIAN_OFFSET_MS);
  const begins = india.getUTCFullYear() - (india.getUTCMonth() < 3 ? 1 : 0);
  return `${String(begins % 100).padStart(2, '0')}-${String((begins + 1) % 100).padStart(2, '0')}`;
}

/** 'TN/26-27/0000001' */
export const formatInvoiceNumber = (series: string, year: string, no: number): string =>
  `${series}/${year}/${String(no).padStart(NUMBER_DIGITS, '0')}`;
