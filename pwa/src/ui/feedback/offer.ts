/** The address on which each offer was first visible in this visit, by the name of the offer. */
const firstAddresses = new Map<string, string>();

/** Records that an offer is visible on an address. True when it was visible on another one before: the user went on. */
export function isOfferPassed(name: string, address: string): boolean {
  const first = firstAddresses.get(name) ?? address;
  firstAddresses.set(name, first);
  return first !== address;
}
