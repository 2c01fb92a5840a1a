/** The 36 states and union territories. Their districts and departments are in `regions.ts`. */

/** `slug` is the last part of URLs and the scope of a sync; `iso` is the ISO 3166-2 code. */
export interface State {
  name: string;
  slug: string;
  iso: string;
}

/** States first, then union territories, each by name. */
export const STATES: readonly State[] = [
  { name: 'Andhra Pradesh', slug: 'andhra-pradesh', iso: 'IN-AP' },
  { name: 'Arunachal Pradesh', slug: 'arunachal-pradesh', iso: 'IN-AR' },
  { name: 'Assam', slug: 'assam', iso: 'IN-AS' },
  { name: 'Bihar', slug: 'bihar', iso: 'IN-BR' },
  { name: 'Chhattisgarh', slug: 'chhattisgarh', iso: 'IN-CG' },
  { name: 'Goa', slug: 'goa', iso: 'IN-GA' },
  { name: 'Gujarat', slug: 'gujarat', iso: 'IN-GJ' },
  { name: 'Haryana', slug: 'haryana', iso: 'IN-HR' },
  { name: 'Himachal Pradesh', slug: 'himachal-pradesh', iso: 'IN-HP' },
  { name: 'Jharkhand', slug: 'jharkhand', iso: 'IN-JH' },
  { name: 'Karnataka', slug: 'karnataka', iso: 'IN-KA' },
  { name: 'Kerala', slug: 'kerala', iso: 'IN-KL' },
  { name: 'Madhya Pradesh', slug: 'madhya-pradesh', iso: 'IN-MP' },
  { name: 'Maharashtra', slug: 'maharashtra', iso: 'IN-MH' },
  { name: 'Manipur', slug: 'manipur', iso: 'IN-MN' },
  { name: 'Meghalaya', slug: 'meghalaya', iso: 'IN-ML' },
  { name: 'Mizoram', slug: 'mizoram', iso: 'IN-MZ' },
  { name: 'Nagaland', slug: 'nagaland', iso: 'IN-NL' },
  { name: 'Odisha', slug: 'odisha', iso: 'IN-OD' },
  { name: 'Punjab', slug: 'punjab', iso: 'IN-PB' },
  { name: 'Rajasthan', slug: 'rajasthan', iso: 'IN-RJ' },
  { name: 'Sikkim', slug: 'sikkim', iso: 'IN-SK' },
  { name: 'Tamil Nadu', slug: 'tamil-nadu', iso: 'IN-TN' },
  { name: 'Telangana', slug: 'telangana', iso: 'IN-TS' },
  { name: 'Tripura', slug: 'tripura', iso: 'IN-TR' },
  { name: 'Uttar Pradesh', slug: 'uttar-pradesh', iso: 'IN-UP' },
  { name: 'Uttarakhand', slug: 'uttarakhand', iso: 'IN-UK' },
  { name: 'West Bengal', slug: 'west-bengal', iso: 'IN-WB' },
  { name: 'Andaman and Nicobar Islands', slug: 'andaman-and-nicobar-islands', iso: 'IN-AN' },
  { name: 'Chandigarh', slug: 'chandigarh', iso: 'IN-CH' },
  {
    name: 'Dadra and Nagar Haveli and Daman and Diu',
    slug: 'dadra-and-nagar-haveli-and-daman-and-diu',
    iso: 'IN-DH',
  },
  { name: 'Delhi', slug: 'delhi', iso: 'IN-DL' },
  { name: 'Jammu and Kashmir', slug: 'jammu-and-kashmir', iso: 'IN-JK' },
  { name: 'Ladakh', slug: 'ladakh', iso: 'IN-LA' },
  { name: 'Lakshadweep', slug: 'lakshadweep', iso: 'IN-LD' },
  { name: 'Puducherry', slug: 'puducherry', iso: 'IN-PY' },
];

/** The names, in the same order. */
export const STATE_NAMES: readonly string[] = STATES.map(({ name }) => name);
