/** Known portals by key. They have home addresses only, because a portal's deep links expire with its session. */
const PORTALS: Record<string, { name: string; address: string }> = {
  hptenders: { name: 'hptenders.gov.in', address: 'https://hptenders.gov.in' },
  assamtenders: { name: 'assamtenders.gov.in', address: 'https://assamtenders.gov.in' },
  gem: { name: 'gem.gov.in', address: 'https://gem.gov.in' },
  ireps: { name: 'ireps.gov.in', address: 'https://www.ireps.gov.in' },
};

/** Portals of all India. They may publish tenders that a state's portal publishes too. */
const CENTRAL_PORTAL = /^(?:eprocure|etenders|cppp|gem|ireps)(?:\.gov\.in)?$/;

/** Whether a portal, named by its key, publishes tenders of several states. */
export const isCentralPortal = (key: string): boolean => CENTRAL_PORTAL.test(key);

/** A portal's name and home address. An unknown portal has its key as name and no address. */
export function portalInfo(key: string): { name: string; address: string | null } {
  return PORTALS[key] ?? { name: key, address: null };
}
