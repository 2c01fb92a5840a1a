/** Finds files that are imported under the wrong state, because most of their PIN codes and places are in another state. */
import { formatCount } from '@nivida/contract/format';
import { findDistrict, findRegion, REGIONS, type Region } from '@nivida/contract/regions/regions';
import type { SourceTender } from '../source-tender.ts';

/** States by the first two digits of their PIN codes (Department of Posts, directory of PIN codes, GODL-India). */
const STATES_BY_PIN = new Map<string, readonly string[]>();
for (const [prefixes, ...slugs] of [
  ['11', 'delhi'],
  ['12 13', 'haryana'],
  ['14 15', 'punjab'],
  ['16', 'chandigarh', 'punjab', 'haryana'],
  ['17', 'himachal-pradesh'],
  ['18 19', 'jammu-and-kashmir', 'ladakh'],
  ['20 21 22 23 25 27 28', 'uttar-pradesh'],
  ['24 26', 'uttar-pradesh', 'uttarakhand'],
  ['30 31 32 33 34', 'rajasthan'],
  ['36 37 38 39', 'gujarat', 'dadra-and-nagar-haveli-and-daman-and-diu'],
  ['40', 'maharashtra', 'goa'],
  ['41 42 43 44', 'maharashtra'],
  ['45 46 47 48', 'madhya-pradesh'],
  ['49', 'chhattisgarh'],
  ['50', 'telangana'],
  ['51 52 53', 'andhra-pradesh', 'puducherry'],
  ['56 57 58 59', 'karnataka'],
  ['60 61 62 63 64', 'tamil-nadu', 'puducherry'],
  ['67 68 69', 'kerala', 'lakshadweep', 'puducherry'],
  ['70 71 72', 'west-bengal'],
  ['73', 'west-bengal', 'sikkim'],
  ['74', 'west-bengal', 'andaman-and-nicobar-islands'],
  ['75 76 77', 'odisha'],
  ['78', 'assam'],
  ['79', 'arunachal-pradesh', 'manipur', 'meghalaya', 'mizoram', 'nagaland', 'tripura'],
  ['80 84 85', 'bihar'],
  ['81 82', 'bihar', 'jharkhand'],
  ['83', 'jharkhand'],
] as const)
  for (const prefix of prefixes.split(' ')) STATES_BY_PIN.set(prefix, slugs);

/** With fewer placed tenders a file is not judged. */
const MIN_PLACED = 10;

type Placed = Pick<SourceTender, 'state' | 'place' | 'pincode'>;

/** Compares the places of the tenders of one file with its state: call `add` for each and `findProblem` once. */
export class StateCheck {
  private placed = 0;
  private wrong = 0;
  private readonly elsewhere = new Map<string, number>();

  add({ state, place, pincode }: Placed): void {
    const region = findRegion(state);
    if (!region) return;
    const found = [statesOfPin(pincode), statesOfPlace(region, place)].filter((states) => states.length > 0);
    if (found.length === 0) return;
    this.placed++;
    if (found.some((states) => states.includes(region.state.slug))) return;
    // A PIN code of several states counts for each of them.
    for (const slug of new Set(found.flat())) this.elsewhere.set(slug, (this.elsewhere.get(slug) ?? 0) + 1);
    this.wrong++;
  }

  /** The sentence for a file of another state; undefined when the state fits. */
  findProblem(state: string): string | undefined {
    if (this.placed < MIN_PLACED || this.wrong <= this.placed / 2) return undefined;
    const [slug] = [...this.elsewhere].sort(([, one], [, other]) => other - one)[0] ?? [];
    const likely = REGIONS.find((region) => region.state.slug === slug)?.state.name;
    return (
      `says ${state}, but ${formatCount(this.wrong)} of ${formatCount(this.placed)} tenders with a PIN code or a ` +
      `district lie elsewhere, most in ${likely}`
    );
  }
}

const statesOfPin = (pincode: string | null): readonly string[] => STATES_BY_PIN.get(pincode?.slice(0, 2) ?? '') ?? [];

/** The states with a district of this name. If the file's own state has one, only that state. */
function statesOfPlace(region: Region, place: string | null): readonly string[] {
  if (place === null) return [];
  const has = (each: Region) => findDistrict(each, place) !== undefined;
  return has(region) ? [region.state.slug] : REGIONS.filter(has).map((each) => each.state.slug);
}
