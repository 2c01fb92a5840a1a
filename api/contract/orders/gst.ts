/** GSTINs, and the States by their GST codes. */
import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { asciiDigits } from '../digits.ts';
import { i18n } from '../i18n.ts';

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

/** A GSTIN as it is typed or pasted: capital letters, digits 0 to 9, no spaces or dashes. */
export const compactGstin = (text: string): string =>
  asciiDigits(text)
    .replace(/[\s\p{Pd}\p{Cf}]/gu, '')
    .toUpperCase();

/** Kinds of registration. Each has its own format. `uin` is for embassies and organisations of the United Nations. */
export type GstinKind = 'regular' | 'uin' | 'tds' | 'tcs' | 'nrtp' | 'oidar';

// The formats of the GST network. TDS may have a TAN instead of a PAN.
const GSTIN_PATTERNS: Readonly<Record<GstinKind, RegExp>> = {
  tds: /^\d{2}[A-Z]{4}[A-Z0-9]\d{4}[A-Z][1-9A-Z]D[0-9A-Z]$/,
  tcs: /^\d{2}[A-Z]{5}\d{4}[A-Z][1-9A-Z]C[0-9A-Z]$/,
  oidar: /^99\d{2}[A-Z]{3}\d{5}OS[0-9A-Z]$/,
  nrtp: /^\d{4}[A-Z]{3}\d{5}NR[0-9A-Z]$/,
  uin: /^\d{4}[A-Z]{3}\d{5}[UO]N[0-9A-Z]$/,
  regular: /^\d{2}[A-Z]{5}\d{4}[A-Z][1-9A-Z][Z1-9A-J][0-9A-Z]$/,
};
const GSTIN_DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const GSTIN_BASE = GSTIN_DIGITS.length;

/** The check digit is the last of the 15 characters, by weights 1 and 2 modulo 36. */
function hasCheckDigit(gstin: string): boolean {
  let sum = 0;
  for (const [index, character] of [...gstin.slice(0, -1)].entries()) {
    const product = GSTIN_DIGITS.indexOf(character) * (1 + (index % 2));
    sum += Math.floor(product / GSTIN_BASE) + (product % GSTIN_BASE);
  }
  return GSTIN_DIGITS[(GSTIN_BASE - (sum % GSTIN_BASE)) % GSTIN_BASE] === gstin.at(-1);
}

/** The kind of a GSTIN by its format; undefined for another text or a wrong check digit. */
export function gstinKind(text: string): GstinKind | undefined {
  const kinds = Object.keys(GSTIN_PATTERNS) as GstinKind[];
  const kind = kinds.find((each) => GSTIN_PATTERNS[each].test(text));
  return kind && hasCheckDigit(text) ? kind : undefined;
}

const REFUSED_KINDS: Readonly<Partial<Record<GstinKind, MessageDescriptor>>> = {
  tds: msg`This GSTIN is for deducting tax (TDS), a tax invoice cannot carry it. Enter the GSTIN under which the firm buys, or leave it empty`,
  tcs: msg`This GSTIN is for collecting tax (TCS), a tax invoice cannot carry it. Enter the GSTIN under which the firm buys, or leave it empty`,
  nrtp: msg`This GSTIN is of a non-resident taxable person, our tax invoice cannot carry it. Enter the GSTIN under which the firm buys, or leave it empty`,
  oidar: msg`This GSTIN is of an online service from outside India (OIDAR), a tax invoice cannot carry it. Enter the GSTIN under which the firm buys, or leave it empty`,
};
const REFUSED_CODES: Readonly<Record<string, MessageDescriptor>> = {
  '25': msg`Code 25 (Daman and Diu) ended in 2020: enter the GSTIN that begins with 26`,
  '28': msg`Code 28 (Andhra Pradesh before 2014) is not in use: enter the GSTIN that begins with 37, or 36 for Telangana`,
  '97': msg`Code 97 is for places outside every State (other territory), our tax invoice cannot carry it. Leave it empty`,
  '99': msg`Code 99 is for firms outside India, our tax invoice cannot carry it. Leave it empty`,
};

/** Why a tax invoice cannot have this GSTIN of the buyer; undefined when it can. It must be a firm's or a UIN, with the code of a State. */
export function gstinError(gstin: string): string | undefined {
  const kind = gstinKind(gstin);
  if (!kind) return t`Please enter a valid 15-character GSTIN`;
  const code = gstin.slice(0, 2);
  const refused = REFUSED_KINDS[kind] ?? REFUSED_CODES[code];
  if (refused) return i18n._(refused);
  return stateOfGstin(gstin) === undefined ? t`No State has the GST code ${code}` : undefined;
}
