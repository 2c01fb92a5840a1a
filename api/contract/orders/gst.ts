/** GSTINs, and the States by their GST codes. */

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

/** '02' for 'Himachal Pradesh'; undefined for a name that is not listed. */
export const gstStateCode = (state: string): string | undefined => STATE_CODES[state];

/** The State of a GSTIN by its listed name; undefined for an unknown code. */
export function stateOfGstin(gstin: string): string | undefined {
  return Object.entries(STATE_CODES).find(([, code]) => gstin.startsWith(code))?.[0];
}

const GSTIN_PATTERN = /^\d{2}[A-Z]{5}\d{4}[A-Z][1-9A-Z]Z[0-9A-Z]$/;
const GSTIN_DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const GSTIN_BASE = GSTIN_DIGITS.length;

/** Checks form and check digit of a GSTIN (the last of its 15 characters, by weights 1 and 2 modulo 36). */
export function isGstin(text: string): boolean {
  if (!GSTIN_PATTERN.test(text)) return false;
  let sum = 0;
  for (const [index, character] of [...text.slice(0, -1)].entries()) {
    const product = GSTIN_DIGITS.indexOf(character) * (1 + (index % 2));
    sum += Math.floor(product / GSTIN_BASE) + (product % GSTIN_BASE);
  }
  return GSTIN_DIGITS[(GSTIN_BASE - (sum % GSTIN_BASE)) % GSTIN_BASE] === text.at(-1);
}
