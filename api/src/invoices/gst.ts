/** The tax in a price that includes it, in whole paise, and the States by their GST codes. */

/** Percent on information services. */
export const GST_PERCENT = 18;

/** The codes that GSTINs begin with (Rule 46: the place of supply is named with its code). */
const STATE_CODES: Readonly<Record<string, string>> = {
  'Jammu and Kashmir': '01',
  'Himachal Pradesh': '02',
  Punjab: '03',
  Chandigarh: '04',
  Uttarakhand: '05',
  Haryana: '06',
  Delhi: '07',
  Rajasthan: '08',
  'Uttar Pradesh': '09',
  Bihar: '10',
  Sikkim: '11',
  'Arunachal Pradesh': '12',
  Nagaland: '13',
  Manipur: '14',
  Mizoram: '15',
  Tripura: '16',
  Meghalaya: '17',
  Assam: '18',
  'West Bengal': '19',
  Jharkhand: '20',
  Odisha: '21',
  Chhattisgarh: '22',
  'Madhya Pradesh': '23',
  Gujarat: '24',
  'Dadra and Nagar Haveli and Daman and Diu': '26',
  Maharashtra: '27',
  Karnataka: '29',
  Goa: '30',
  Lakshadweep: '31',
  Kerala: '32',
  'Tamil Nadu': '33',
  Puducherry: '34',
  'Andaman and Nicobar Islands': '35',
  Telangana: '36',
  'Andhra Pradesh': '37',
  Ladakh: '38',
};

/** Without a legislature of their own: the half of the State is called UTGST there. */
const UNION_TERRITORIES = [
  'Andaman and Nicobar Islands',
  'Chandigarh',
  'Dadra and Nagar Haveli and Daman and Diu',
  'Ladakh',
  'Lakshadweep',
];

/** '02' for 'Himachal Pradesh'; undefined for what is no listed name. */
export const stateCode = (state: string): string | undefined => STATE_CODES[state];

/** The listed name of the State that a GSTIN was registered in; undefined for codes of none. */
export function stateOfGstin(gstin: string): string | undefined {
  return Object.entries(STATE_CODES).find(([, code]) => gstin.startsWith(code))?.[0];
}

/** One tax: its name, its rate and what it comes to. */
export interface Tax {
  name: 'CGST' | 'SGST' | 'UTGST' | 'IGST';
  percent: number;
  paise: number;
}

/** A price taken apart; the parts sum to it to the paisa. */
export interface TaxSplit {
  taxablePaise: number;
  taxes: Tax[];
}

/**
 * Takes the tax out of a price that includes it: two equal halves within one State, else the whole at once. An unknown
 * buyer's State counts as the seller's (section 12 of the IGST Act: without an address, the place of the supplier).
 */
export function splitTax(totalPaise: number, sellerState: string, buyerState: string): TaxSplit {
  if (buyerState !== '' && buyerState !== sellerState) {
    const paise = partOf(totalPaise, GST_PERCENT);
    return { taxablePaise: totalPaise - paise, taxes: [{ name: 'IGST', percent: GST_PERCENT, paise }] };
  }
  const percent = GST_PERCENT / 2;
  const paise = partOf(totalPaise, percent);
  const local = UNION_TERRITORIES.includes(sellerState) ? 'UTGST' : 'SGST';
  return {
    taxablePaise: totalPaise - 2 * paise,
    taxes: [
      { name: 'CGST', percent, paise },
      { name: local, percent, paise },
    ],
  };
}

/** round(total × percent ÷ 118), half up, without a fraction on the way. */
function partOf(totalPaise: number, percent: number): number {
  const whole = 100 + GST_PERCENT;
  return Math.floor((2 * totalPaise * percent + whole) / (2 * whole));
}
