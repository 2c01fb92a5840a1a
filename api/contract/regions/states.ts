/** The 36 states and union territories. Their districts and departments are in `regions.ts`. */
import { currentLanguage, inPresentLanguage } from '../i18n.ts';
import { LANGUAGES } from '../languages.ts';

/** `slug` is the last part of URLs and the scope of a sync; `iso` is the ISO 3166-2 code. */
export interface State {
  name: string;
  slug: string;
  iso: string;
}

/** States first, then union territories, each by name. */
export const STATES: readonly State[] = [
  { name: /*i18n*/ 'Andhra Pradesh', slug: 'andhra-pradesh', iso: 'IN-AP' },
  { name: /*i18n*/ 'Arunachal Pradesh', slug: 'arunachal-pradesh', iso: 'IN-AR' },
  { name: /*i18n*/ 'Assam', slug: 'assam', iso: 'IN-AS' },
  { name: /*i18n*/ 'Bihar', slug: 'bihar', iso: 'IN-BR' },
  { name: /*i18n*/ 'Chhattisgarh', slug: 'chhattisgarh', iso: 'IN-CG' },
  { name: /*i18n*/ 'Goa', slug: 'goa', iso: 'IN-GA' },
  { name: /*i18n*/ 'Gujarat', slug: 'gujarat', iso: 'IN-GJ' },
  { name: /*i18n*/ 'Haryana', slug: 'haryana', iso: 'IN-HR' },
  { name: /*i18n*/ 'Himachal Pradesh', slug: 'himachal-pradesh', iso: 'IN-HP' },
  { name: /*i18n*/ 'Jharkhand', slug: 'jharkhand', iso: 'IN-JH' },
  { name: /*i18n*/ 'Karnataka', slug: 'karnataka', iso: 'IN-KA' },
  { name: /*i18n*/ 'Kerala', slug: 'kerala', iso: 'IN-KL' },
  { name: /*i18n*/ 'Madhya Pradesh', slug: 'madhya-pradesh', iso: 'IN-MP' },
  { name: /*i18n*/ 'Maharashtra', slug: 'maharashtra', iso: 'IN-MH' },
  { name: /*i18n*/ 'Manipur', slug: 'manipur', iso: 'IN-MN' },
  { name: /*i18n*/ 'Meghalaya', slug: 'meghalaya', iso: 'IN-ML' },
  { name: /*i18n*/ 'Mizoram', slug: 'mizoram', iso: 'IN-MZ' },
  { name: /*i18n*/ 'Nagaland', slug: 'nagaland', iso: 'IN-NL' },
  { name: /*i18n*/ 'Odisha', slug: 'odisha', iso: 'IN-OD' },
  { name: /*i18n*/ 'Punjab', slug: 'punjab', iso: 'IN-PB' },
  { name: /*i18n*/ 'Rajasthan', slug: 'rajasthan', iso: 'IN-RJ' },
  { name: /*i18n*/ 'Sikkim', slug: 'sikkim', iso: 'IN-SK' },
  { name: /*i18n*/ 'Tamil Nadu', slug: 'tamil-nadu', iso: 'IN-TN' },
  { name: /*i18n*/ 'Telangana', slug: 'telangana', iso: 'IN-TS' },
  { name: /*i18n*/ 'Tripura', slug: 'tripura', iso: 'IN-TR' },
  { name: /*i18n*/ 'Uttar Pradesh', slug: 'uttar-pradesh', iso: 'IN-UP' },
  { name: /*i18n*/ 'Uttarakhand', slug: 'uttarakhand', iso: 'IN-UK' },
  { name: /*i18n*/ 'West Bengal', slug: 'west-bengal', iso: 'IN-WB' },
  { name: /*i18n*/ 'Andaman and Nicobar Islands', slug: 'andaman-and-nicobar-islands', iso: 'IN-AN' },
  { name: /*i18n*/ 'Chandigarh', slug: 'chandigarh', iso: 'IN-CH' },
  {
    name: /*i18n*/ 'Dadra and Nagar Haveli and Daman and Diu',
    slug: 'dadra-and-nagar-haveli-and-daman-and-diu',
    iso: 'IN-DH',
  },
  { name: /*i18n*/ 'Delhi', slug: 'delhi', iso: 'IN-DL' },
  { name: /*i18n*/ 'Jammu and Kashmir', slug: 'jammu-and-kashmir', iso: 'IN-JK' },
  { name: /*i18n*/ 'Ladakh', slug: 'ladakh', iso: 'IN-LA' },
  { name: /*i18n*/ 'Lakshadweep', slug: 'lakshadweep', iso: 'IN-LD' },
  { name: /*i18n*/ 'Puducherry', slug: 'puducherry', iso: 'IN-PY' },
];

/** The first of `STATES` are states, the others union territories. */
const STATE_COUNT = 28;

/** The name of a state or district for the screens. Addresses, data and stored texts have the listed name. */
export const placeName = (name: string): string => inPresentLanguage(name);

/** Compares names of places as they are shown. */
export const comparePlaces = (one: string, other: string): number =>
  placeName(one).localeCompare(placeName(other), LANGUAGES[currentLanguage()].locale);

const byName = (states: readonly State[]): State[] =>
  states.toSorted((one, other) => comparePlaces(one.name, other.name));

/** The states, then the union territories, each in the order of the present language. */
export const statesByName = (): State[] => [
  ...byName(STATES.slice(0, STATE_COUNT)),
  ...byName(STATES.slice(STATE_COUNT)),
];

/** The choices of a state: its listed name, and the name that is shown. */
export const stateOptions = (): [value: string, text: string][] =>
  statesByName().map(({ name }) => [name, placeName(name)]);

/** The names, in the same order. */
export const STATE_NAMES: readonly string[] = STATES.map(({ name }) => name);
