/** The GST included in a price, in whole paise. */

/** GST on information services, in percent. */
export const GST_PERCENT = 18;

/** Union territories without a legislature: the State's half is called UTGST there. */
const UNION_TERRITORIES = [
  'Andaman and Nicobar Islands',
  'Chandigarh',
  'Dadra and Nagar Haveli and Daman and Diu',
  'Ladakh',
  'Lakshadweep',
];

/** One tax with its rate and amount. */
export interface GstTax {
  name: 'CGST' | 'SGST' | 'UTGST' | 'IGST';
  percent: number;
  paise: number;
}

/** A price split into its taxable value and taxes; the parts sum to the price. */
export interface GstSplit {
  taxablePaise: number;
  taxes: GstTax[];
}

/**
 * Splits a price that includes GST: two equal halves within one State, else IGST. If the buyer's State is unknown, the
 * seller's State is used (section 12 of the IGST Act: without an address, the place of the supplier).
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

/** round(total × percent ÷ 118), half up, in integers. */
function taxPart(totalPaise: number, percent: number): number {
  const totalPercent = 100 + GST_PERCENT;
  return Math.floor((2 * totalPaise * percent + totalPercent) / (2 * totalPercent));
}
