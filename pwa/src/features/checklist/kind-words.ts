import { t } from '@lingui/core/macro';
import type { TenderWordId } from '@nivida/contract/words/tender-words';

/** The word of tendering that explains a kind of document, with its form. */
const kindWords = (): Readonly<Partial<Record<string, readonly [form: string, word: TenderWordId]>>> => ({
  tender_fee: [t`Tender fee`, 'tender-fee'],
  emd: ['EMD', 'emd'],
  enlistment: [t`Enlistment class`, 'enlistment'],
  pan: ['PAN', 'pan'],
  gst_registration: ['GSTIN', 'gst'],
  epf: ['EPF', 'epf'],
  esi: ['ESI', 'epf'],
  dsc_authorisation: ['DSC', 'dsc'],
  joint_venture: ['JV', 'jv'],
  tender_document: ['NIT', 'nit'],
  price_bid: ['BOQ', 'boq'],
  mse_startup: ['MSE, Udyam', 'mse'],
});

export const wordOfKind = (id: string) => kindWords()[id];
