/**
 * Finds the organisation that invites the tender of an OCDS release, with its address and state. OCDS 1.0 describes
 * organisations in place, 1.1 in its list of parties. Only the office of a contact point is read, never a person.
 */
import { findRegion } from '@nivida/contract/regions/regions';
import { cleanText, optionalText, parseDesignation, parsePincode } from '../cells/normalise.ts';
import { InvalidValueError, type SourceTender } from '../source-tender.ts';
import type { OcdsAddress, OcdsParty, OcdsTender, OrganizationReference, Release } from './ocds-schema.ts';

type Inviter = Pick<
  SourceTender,
  'state' | 'organisationChain' | 'address' | 'place' | 'pincode' | 'contactDesignation'
>;

/** Buyer and procuring entity; `fallback` is the state when the data name none. Throws InvalidValueError without either. */
export function readInviter(release: Release, tender: OcdsTender, fallback: string | undefined): Inviter {
  const buyer = findOrganisation(release, release.buyer, 'buyer');
  const office = findOrganisation(release, tender.procuringEntity, 'procuringEntity');
  const address = office.address ?? buyer.address;
  return {
    state: findState([office.address, buyer.address, ...listDeliveryAddresses(tender)], fallback),
    organisationChain: organisationChain(buyer, office),
    address: addressText(address),
    place: optionalText(address?.locality),
    pincode: isForeign(address) ? null : parsePincode(address?.postalCode),
    contactDesignation: parseDesignation(office.contactPoint?.name) ?? parseDesignation(buyer.contactPoint?.name),
  };
}

type Organisation = Omit<OcdsParty, 'id' | 'roles'>;

function findOrganisation(release: Release, reference: OrganizationReference | undefined, role: string): Organisation {
  const parties = release.parties ?? [];
  const named = reference?.id === undefined ? undefined : parties.find(({ id }) => id === String(reference.id));
  const party = named ?? parties.find(({ roles }) => roles?.includes(role));
  return {
    name: reference?.name ?? party?.name,
    address: reference?.address ?? party?.address,
    contactPoint: reference?.contactPoint ?? party?.contactPoint,
  };
}

function organisationChain(...organisations: Organisation[]): string[] {
  const names = organisations.map(({ name }) => optionalText(name)).filter((name) => name !== null);
  if (names.length === 0) throw new InvalidValueError('buyer.name', '', 'the tender names no organisation');
  return [...new Set(names)];
}

function listDeliveryAddresses({ deliveryAddresses = [], items = [] }: OcdsTender): (OcdsAddress | undefined)[] {
  return [...deliveryAddresses, ...items.flatMap((item) => [...(item.deliveryAddresses ?? []), item.deliveryAddress])];
}

function isForeign(address: OcdsAddress | undefined): boolean {
  const country = cleanText(address?.countryName || address?.country).toLowerCase();
  return !['', 'in', 'ind', 'india', 'bharat', 'भारत', 'republic of india'].includes(country);
}

function findState(addresses: (OcdsAddress | undefined)[], fallback: string | undefined): string {
  for (const address of addresses) {
    if (!address?.region || isForeign(address)) continue;
    for (const part of [address.region, ...address.region.split(',')]) {
      const region = findRegion(part);
      if (region) return region.state.name;
    }
  }
  if (fallback) return fallback;
  const region = addresses.find((address) => address?.region)?.region;
  throw new InvalidValueError(
    'parties.address.region',
    cleanText(region),
    'names no Indian state; give one with --state',
  );
}

/** Street, locality and region in one line; null without any. */
export function addressText(address: OcdsAddress | undefined): string | null {
  const parts = [address?.streetAddress, address?.locality, address?.region].map(optionalText);
  return [...new Set(parts.filter((part) => part !== null))].join(', ') || null;
}
