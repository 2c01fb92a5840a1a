/** What the operator configured and pages show: addresses, names, the social link. What is unset is not shown. */
import type { SiteSettings } from '@nivida/contract/site/site';
import { useEffect, useSyncExternalStore } from 'react';
import { createStore } from 'zustand';
import { browserStorage } from '../device/browser-storage.ts';
import { firstScreen } from '../first-screen.ts';
import { page, usePage } from '../page.ts';

const STORAGE_KEY = 'site';

const EMPTY_SITE: SiteSettings = {
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

/** Read by hand: this happens before the first paint, for which the schema's library is too much. */
function readInitialSite(): SiteSettings {
  try {
    const stored: unknown = page.site ?? JSON.parse(browserStorage()?.getItem(STORAGE_KEY) ?? '{}');
    const facts = Object.entries(EMPTY_SITE).map(([name]) => {
      const fact: unknown = (stored as Record<string, unknown>)[name];
      return [name, typeof fact === 'string' ? fact : null];
    });
    return Object.fromEntries(facts) as SiteSettings;
  } catch {
    return EMPTY_SITE;
  }
}

const store = createStore<SiteSettings>(readInitialSite);
let pendingCall: Promise<void> | undefined;

async function fetchSite(): Promise<void> {
  await firstScreen;
  const [{ api }, contract] = await Promise.all([import('./api.ts'), import('@nivida/contract/site/site')]);
  const site = await api.get('api/site').json(contract.SiteSettings);
  store.setState(site, true);
  browserStorage()?.setItem(STORAGE_KEY, JSON.stringify(site));
}

/** Asks the server, once for as long as the page lives; a call that failed is made again by the next who asks. Never throws. */
export function refreshSite(): Promise<void> {
  pendingCall ??= fetchSite().catch(() => {
    pendingCall = undefined;
  });
  return pendingCall;
}

/** What stands beside a price of a seller that is registered for GST (RESOLUTIONS R49); of another, nothing does. */
export function taxNote({ gstin }: Pick<SiteSettings, 'gstin'>): string {
  return gstin === null ? '' : 'GST included';
}

/** What is known of the site now, outside a screen. */
export function currentSite(): SiteSettings {
  return store.getState();
}

/** What is known of the site: what the page or the kept copy says at once, the server's answer when it comes. */
export function useSite(): SiteSettings {
  const rendered = usePage();
  useEffect(() => void refreshSite(), []);
  return useSyncExternalStore(store.subscribe, store.getState, () => rendered.site ?? EMPTY_SITE);
}
