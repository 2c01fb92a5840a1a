/**
 * Finds out of an OCDS release who invites the tender, where they are and in which state: 1.0 describes organisations
 * where it names them, 1.1 in its list of parties. Of people nothing is taken but the office a contact point names.
 */
import { regionOf } from '@nivida/contract/regions';
import { cleanText, designationOf, optionalText, parsePincode } from './normalise.ts';
import { BadValue, type Notice } from './notice.ts';
import type { Address, Organization, OrganizationReference, Release, Tender } from './ocds-schema.ts';

type Inviter = Pick<Notice, 'state' | 'organisationChain' | 'address' | 'place' | 'pincode' | 'contactDesignation'>;

/** Buyer and procuring entity; `fallback` is the state where the data name none. Throws BadValue without either. */
export function inviterOf(release: Release, tender: Tender, fallback: string | undefined): Inviter {
  const buyer = organisationOf(release, release.buyer, 'buyer');
  const office = organisationOf(release, tender.procuringEntity, 'procuringEntity');
  const address = office.address ?? buyer.address;
  return {
    state: stateOf([office.address, buyer.address, ...deliveriesOf(tender)], fallback),
    organisationChain: chainOf(buyer, office),
    address: addressText(address),
    place: optionalText(address?.locality),
    pincode: isForeign(address) ? null : parsePincode(address?.postalCode),
    contactDesignation: designationOf(office.contactPoint?.name) ?? designationOf(buyer.contactPoint?.name),
  };
}

type Organisation = Omit<Organization, 'id' | 'roles'>;

function organisationOf(release: Release, reference: OrganizationReference | undefined, role: string): Organisation {
  const parties = release.parties ?? [];
  const named = reference?.id === undefined ? undefined : parties.find(({ id }) => id === String(reference.id));
  const party = named ?? parties.find(({ roles }) => roles?.includes(role));
  return {
    name: reference?.name ?? party?.name,
    address: reference?.address ?? party?.address,
    contactPoint: reference?.contactPoint ?? party?.contactPoint,
  };
}

function chainOf(...organisations: Organisation[]): string[] {
  const names = organisations.map(({ name }) => optionalText(name)).filter((name) => name !== null);
  if (names.length === 0) throw new BadValue('buyer.name', '', 'the tender names no organisation');
  return [...new Set(names)];
}

function deliveriesOf({ deliveryAddresses = [], items = [] }: Tender): (Address | undefined)[] {
  return [...deliveryAddresses, ...items.flatMap((item) => [...(item.deliveryAddresses ?? []), item.deliveryAddress])];
}

function isForeign(address: Address | undefined): boolean {
  const country = cleanText(address?.countryName || address?.country).toLowerCase();
  return !['', 'in', 'ind', 'india', 'bharat', 'भारत', 'republic of india'].includes(country);
}

function stateOf(addresses: (Address | undefined)[], fallback: string | undefined): string {
  for (const address of addresses) {
    if (!address?.region || isForeign(address)) continue;
    for (const part of [address.region, ...address.region.split(',')]) {
      const region = regionOf(part);
      if (region) return region.state.name;
    }
  }
  if (fallback) return fallback;
  const region = addresses.find((address) => address?.region)?.region;
  throw new BadValue('parties.address.region', cleanText(region), 'names no Indian state; give one with --state');
}

/** Street, locality and region in one line, null when there is none. */
export function addressText(address: Address | undefined): string | null {
  const parts = [address?.streetAddress, address?.locality, address?.region].map(optionalText);
  return [...new Set(parts.filter((part) => part !== null))].join(', ') || null;
}
