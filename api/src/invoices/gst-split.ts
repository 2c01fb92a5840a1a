/** The tax in a price that includes it, in whole paise. */

/** Percent on information services. */
export const GST_PERCENT = 18;

/** Without a legislature of their own: the half of the State is called UTGST there. */
const UNION_TERRITORIES = [
  'Andaman and Nicobar Islands',
  'Chandigarh',
  'Dadra and Nagar Haveli and Daman and Diu',
  'Ladakh',
  'Lakshadweep',
];

/** One tax: its name, its rate and what it comes to. */
export interface GstTax {
  name: 'CGST' | 'SGST' | 'UTGST' | 'IGST';
  percent: number;
  paise: number;
}

/** A price taken apart; the parts sum to it to the paisa. */
export interface GstSplit {
  taxablePaise: number;
  taxes: GstTax[];
}

/**
 * Takes the tax out of a price that includes it: two equal halves within one State, else the whole at once. An unknown
 * buyer's State counts as the seller's (section 12 of the IGST Act: without an address, the place of the supplier).
 */
export function splitGst(totalPaise: number, sellerState: string, buyerState: string): GstSplit {
  if (buyerState !== '' && buyerState !== sellerState) {
    const paise = taxPart(totalPaise, GST_PERCENT);
    return { taxablePaise: totalPaise - paise, taxes: [{ name: 'IGST', percent: GST_PERCENT, paise }] };
  }
  const percent = GST_PERCENT / 2;
  const paise = taxPart(totalPaise, percent);
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
function taxPart(totalPaise: number, percent: number): number {
  const totalPercent = 100 + GST_PERCENT;
  return Math.floor((2 * totalPaise * percent + totalPercent) / (2 * totalPercent));
}
