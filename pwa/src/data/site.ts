/** What the operator configured and pages show: addresses, names, the social link. What is unset is not shown. */
import type { Site } from '@nivida/contract/site';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { firstScreen } from './first-screen.ts';
import { presentStore } from './present-store.ts';
import { browserStorage } from './storage.ts';

const KEY = 'site';

const NOTHING: Site = {
  supportEmail: null,
  privacyEmail: null,
  dpoEmail: null,
  socialUrl: null,
  legalName: null,
  legalAddress: null,
  supportPhone: null,
  grievanceName: null,
  grievanceEmail: null,
  gstin: null,
  googleClientId: null,
  payments: null,
};

/** What the server wrote into the page, so that nothing moves when its answer comes; the stored app's page has none. */
function written(): string | undefined {
  return globalThis.document?.getElementById('site')?.textContent;
}

/** Read by hand: this happens before the first paint, for which the schema's library is too much. */
function readKept(): Site {
  try {
    const kept: unknown = JSON.parse(written() ?? browserStorage()?.getItem(KEY) ?? '{}');
    const facts = Object.entries(NOTHING).map(([name]) => {
      const fact: unknown = (kept as Record<string, unknown>)[name];
      return [name, typeof fact === 'string' ? fact : null];
    });
    return Object.fromEntries(facts) as Site;
  } catch {
    return NOTHING;
  }
}

const store = presentStore<Site>(readKept);
let call: Promise<void> | undefined;

async function ask(): Promise<void> {
  await firstScreen;
  const [{ api }, contract] = await Promise.all([import('./api.ts'), import('@nivida/contract/site')]);
  const site = await api.get('api/site').json(contract.Site);
  store.setState(site, true);
  browserStorage()?.setItem(KEY, JSON.stringify(site));
}

/** Asks the server, once for as long as the page lives; a call that failed is made again by the next who asks. Never throws. */
export function refreshSite(): Promise<void> {
  call ??= ask().catch(() => {
    call = undefined;
  });
  return call;
}

/** What stands beside a price of a seller that is registered for GST (RESOLUTIONS R49); of another, nothing does. */
export function taxNote({ gstin }: Pick<Site, 'gstin'>): string {
  return gstin === null ? '' : 'GST included';
}

/** For a page that the server draws. */
export function takeSite(site: Site): void {
  store.setState(site, true);
}

/** What is known of the site now, outside a screen. */
export function knownSite(): Site {
  return store.getState();
}

/** What is known of the site: what the page or the kept copy says at once, the server's answer when it comes. */
export function useSite(): Site {
  useEffect(() => void refreshSite(), []);
  return useStore(store);
}
