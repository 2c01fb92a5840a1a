/** The words of tendering that a first-time bidder meets: what each is, and what to do with it. */
import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { currentLanguage, i18n, inLanguage } from '../i18n.ts';

interface TenderWord {
  /** The short form, the same in every language. */
  short?: string;
  /** The word, or the long form of the short one. */
  name: MessageDescriptor;
  /** The name in Hindi, to be shown beside English. It equals the catalogue's. */
  hindi: string;
  meaning: MessageDescriptor;
  advice: MessageDescriptor;
}

/** By place on the help page, such as `/help#emd`. */
const WORDS = {
  nit: {
    short: 'NIT',
    name: msg`Notice inviting tender`,
    hindi: 'टेंडर नोटिस',
    meaning: msg`The notice with the conditions of a tender. One notice may contain many works.`,
    advice: msg`Read it to the end: it says who may bid, what to upload and how to pay the EMD.`,
  },
  estimate: {
    name: msg`Estimated cost`,
    hindi: 'अनुमानित लागत',
    meaning: msg`What the office expects the work to cost.`,
    advice: msg`Compare it with the limit of your enlistment class, and work out your own rate.`,
  },
  boq: {
    short: 'BOQ',
    name: msg`Bill of quantities`,
    hindi: 'आइटम और मात्रा की सूची',
    meaning: msg`The price sheet: a list of items and quantities in which you fill in your rates.`,
    advice: msg`Download it at the portal, fill in only your rates, and upload the same file in the finance cover. Do not rename it or change its rows.`,
  },
  cover: {
    name: msg`Cover`,
    hindi: 'कवर',
    meaning: msg`A sealed part of a bid. With two, the technical documents are opened first, and the rates only of those who qualify.`,
    advice: msg`Upload each document in the cover that the tender names. Your rates belong in the finance cover only.`,
  },
  corrigendum: {
    name: msg`Corrigendum`,
    hindi: 'शुद्धिपत्र',
    meaning: msg`An official change of a published tender: its dates, estimate, EMD or documents.`,
    advice: msg`Check for one before you submit. Bookmarked tenders show the old and the new date.`,
  },
  'pre-bid': {
    name: msg`Pre-bid meeting`,
    hindi: 'प्री-बिड मीटिंग',
    meaning: msg`A meeting before closing, where the office answers questions of bidders.`,
    advice: msg`Ask there what the notice leaves open. Changes then come as a corrigendum.`,
  },
  validity: {
    name: msg`Bid validity`,
    hindi: 'बोली की वैधता',
    meaning: msg`The days for which your price binds you after you have bid.`,
    advice: msg`Quote a price that you can hold so long. A bank guarantee or FDR must usually last longer.`,
  },
  emd: {
    short: 'EMD',
    name: msg`Earnest money deposit`,
    hindi: 'धरोहर राशि',
    meaning: msg`Money that you deposit with a bid, usually 2 to 5 % of the estimate. It is returned.`,
    advice: msg`Pay it as the tender says and upload the proof. Note it here, so that you ask for it in time.`,
  },
  'tender-fee': {
    name: msg`Tender fee`,
    hindi: 'टेंडर फ़ीस',
    meaning: msg`The price of the tender form. It is not returned.`,
    advice: msg`Pay it as the tender says and upload the receipt.`,
  },
  exemption: {
    name: msg`EMD exemption`,
    hindi: 'EMD में छूट',
    meaning: msg`Some small or registered firms need not pay the EMD, if the tender allows it.`,
    advice: msg`Check the NIT first: a claim that it does not allow costs you the bid.`,
  },
  performance: {
    short: 'PSD',
    name: msg`Performance security`,
    hindi: 'परफ़ॉर्मेंस सिक्योरिटी',
    meaning: msg`Money that the winner deposits until the contract is fulfilled. It is returned.`,
    advice: msg`Count it in before you quote. Deposit it within the days that the office gives you.`,
  },
  fdr: {
    short: 'FDR',
    name: msg`Fixed deposit receipt`,
    hindi: 'फ़िक्स्ड डिपॉज़िट की रसीद',
    meaning: msg`A bank's receipt for money that stays there for a fixed time. Often accepted as EMD.`,
    advice: msg`Let the bank pledge it to the officer whom the tender names, for the full amount.`,
  },
  bg: {
    short: 'BG',
    name: msg`Bank guarantee`,
    hindi: 'बैंक गारंटी',
    meaning: msg`A bank's promise to pay the office if you do not keep the terms.`,
    advice: msg`Use the form that the tender gives, and let it last as long as the tender asks.`,
  },
  dd: {
    short: 'DD',
    name: msg({ message: 'Demand draft', context: 'a word of tendering' }),
    hindi: 'डिमांड ड्राफ़्ट',
    meaning: msg`A bank's draft, paid in advance and made out to the office.`,
    advice: msg`Check the name, the place and the date: not after closing. Hand in the original if the tender asks for it.`,
  },
  enlistment: {
    name: msg`Enlistment class`,
    hindi: 'रजिस्ट्रेशन की श्रेणी',
    meaning: msg`The class in which an office such as the PWD has registered you. It limits how large a work you may bid for.`,
    advice: msg`See that your class covers the estimate and that it is valid on the closing day.`,
  },
  dsc: {
    short: 'DSC',
    name: msg`Digital signature certificate`,
    hindi: 'डिजिटल सिग्नेचर सर्टिफ़िकेट',
    meaning: msg`The USB token (class 3) with which you sign a bid at the portal.`,
    advice: msg`Get it early, register it at the portal, and see that it is valid on the closing day.`,
  },
  gst: {
    short: 'GST, GSTIN',
    name: msg`Goods and services tax, and your number in it`,
    hindi: 'वस्तु एवं सेवा कर, और उसमें आपका नंबर',
    meaning: msg`The tax on goods and services. The GSTIN is your registration number, 15 characters.`,
    advice: msg`Upload the registration certificate (Form REG-06), and the latest return if the tender asks for it.`,
  },
  pan: {
    short: 'PAN',
    name: msg`Permanent account number`,
    hindi: 'स्थायी खाता संख्या',
    meaning: msg`Your number at the Income Tax Department, 10 characters.`,
    advice: msg`Upload a readable copy. A firm uploads its own PAN, not a partner's.`,
  },
  epf: {
    short: 'EPF, ESI',
    name: msg`Employees' provident fund and state insurance`,
    hindi: 'कर्मचारी भविष्य निधि और राज्य बीमा',
    meaning: msg`Funds to which an employer pays for his workers.`,
    advice: msg`Upload the firm's code letter, and the latest challan or return if the tender asks for it.`,
  },
  mse: {
    short: 'MSE, Udyam',
    name: msg`Micro and small enterprise, and its registration`,
    hindi: 'सूक्ष्म और लघु उद्यम, और उसका रजिस्ट्रेशन',
    meaning: msg`A small firm that is registered at the Udyam portal. Some tenders then ask for no EMD; contracts for works usually do.`,
    advice: msg`Upload the certificate only where the tender allows an exemption and its activity fits.`,
  },
  jv: {
    short: 'JV',
    name: msg`Joint venture`,
    hindi: 'जॉइंट वेंचर',
    meaning: msg`Two or more firms that bid together.`,
    advice: msg`Only where the NIT allows it. Upload the agreement with each partner's share.`,
  },
  gepnic: {
    short: 'GePNIC',
    name: msg`Government eProcurement System of NIC`,
    hindi: 'NIC का सरकारी ई-टेंडर सिस्टम',
    meaning: msg`The software of most state tender portals.`,
    advice: msg`Register at your state's portal with your DSC. You submit your bid there.`,
  },
  gem: {
    short: 'GeM',
    name: msg`Government e-Marketplace`,
    hindi: 'सरकारी ई-मार्केटप्लेस',
    meaning: msg`The central government's marketplace. Its bids have numbers like GEM/2026/B/7654321.`,
    advice: msg`To bid there, you need a seller's account at gem.gov.in.`,
  },
  aoc: {
    short: 'AOC',
    name: msg`Award of contract`,
    hindi: 'काम का अवार्ड',
    meaning: msg`The office's decision who gets the work, and at what price.`,
    advice: msg`If you did not win, ask for your EMD. Note the price for your next bid.`,
  },
} as const satisfies Record<string, TenderWord>;

export type TenderWordId = keyof typeof WORDS;

/** The words on the help page, in the order of a bid. */
export const WORD_GROUPS: readonly { title: MessageDescriptor; ids: readonly TenderWordId[] }[] = [
  { title: msg`The notice`, ids: ['nit', 'estimate', 'boq', 'cover', 'corrigendum', 'pre-bid', 'validity'] },
  { title: msg`The money`, ids: ['emd', 'tender-fee', 'exemption', 'performance', 'fdr', 'bg', 'dd'] },
  { title: msg`Your papers`, ids: ['enlistment', 'dsc', 'gst', 'pan', 'epf', 'mse', 'jv'] },
  { title: msg`The portal and the result`, ids: ['gepnic', 'gem', 'aoc'] },
];

/** A word in the present language, with its name in the other one. */
export function explainedWord(id: TenderWordId) {
  const { name, hindi, meaning, advice, ...word }: TenderWord = WORDS[id];
  const present = i18n._(name);
  return {
    id,
    title: word.short ?? present,
    name: word.short ? present : null,
    other:
      currentLanguage() === 'en'
        ? { text: hindi, lang: 'hi' }
        : { text: inLanguage('en', () => i18n._(name)), lang: 'en' },
    meaning: i18n._(meaning),
    advice: i18n._(advice),
  };
}
