/**
 * The operator's settings that pages show: addresses, names, the social link. Settings that are not set are
 * not shown.
 */
import { t } from '@lingui/core/macro';
import type { SiteSettings } from '@nivida/contract/site/site';
import { type ReactNode, useEffect, useSyncExternalStore } from 'react';
import { createStore } from 'zustand';
import { browserStorage } from '../device/browser-storage.ts';
import { firstScreen } from '../first-screen.ts';
import { page, usePage } from './page.ts';

const STORAGE_KEY = 'site';

/** The settings. `payments` is null while it is unknown: on a first start without a network. */
export type Site = Omit<SiteSettings, 'payments'> & { payments: SiteSettings['payments'] | null };

const EMPTY_SITE: Site = {
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
  freePlan: null,
  answerHours: null,
  searchVersion: null,
};

const isPaymentMode = (text: string | null) => text === 'sandbox' || text === 'live' || text === 'none';

/** Validated without the schema library, which is too large for code that runs before the first paint. */
function readInitialSite(): Site {
  try {
    const stored: unknown = page.site ?? JSON.parse(browserStorage()?.getItem(STORAGE_KEY) ?? '{}');
    const facts = Object.entries(EMPTY_SITE).map(([name]) => {
      const fact: unknown = (stored as Record<string, unknown>)[name];
      const isKnown = typeof fact === (name === 'answerHours' ? 'number' : 'string');
      return [name, isKnown ? fact : null];
    });
    const site = Object.fromEntries(facts) as Site;
    return { ...site, payments: isPaymentMode(site.payments) ? site.payments : null };
  } catch {
    return EMPTY_SITE;
  }
}

const store = createStore<Site>(readInitialSite);
let pendingCall: Promise<void> | undefined;

async function fetchSite(): Promise<void> {
  await firstScreen;
  const [{ api }, contract] = await Promise.all([import('./api.ts'), import('@nivida/contract/site/site')]);
  const site = await api.get('api/site').json(contract.SiteSettings);
  store.setState(site, true);
  browserStorage()?.setItem(STORAGE_KEY, JSON.stringify(site));
}

/**
 * Requests the settings once per page load. After a failure the next caller requests them again. Never
 * throws.
 */
export function refreshSite(): Promise<void> {
  pendingCall ??= fetchSite().catch(() => {
    pendingCall = undefined;
  });
  return pendingCall;
}

/** The tax note beside a price, for a seller that is registered for GST (R49); otherwise ''. */
export function taxNote({ gstin }: Pick<Site, 'gstin'>): string {
  return gstin === null ? '' : t`GST included`;
}

/** The settings known now, outside a component. */
export function currentSite(): Site {
  return store.getState();
}

/** The settings. First those of the page or of browser storage, then the server's. */
export function useSite(): Site {
  useEffect(() => void refreshSite(), []);
  return useKnownSite();
}

function useKnownSite(): Site {
  const rendered = usePage();
  return useSyncExternalStore(store.subscribe, store.getState, () => rendered.site ?? EMPTY_SITE);
}

/** Whether the operator sells nothing (R81): prices, plans and payments are not shown. The frame loads the settings. */
export function useSellsNothing(): boolean {
  return useKnownSite().payments === 'none';
}

/** Renders `children` where something is sold, otherwise `free`. */
export function Sold({ children, free = null }: { children: ReactNode; free?: ReactNode }): ReactNode {
  return useSellsNothing() ? free : children;
}
