import { CHROMIUM_FLAGS } from '../support/browsers.ts';

/** The settings of a Chromium that shows notifications. */
export const WITH_NOTIFICATIONS = {
  // The headless shell has no notifications.
  launchOptions: { executablePath: process.env.E2E_CHROMIUM ?? '', args: CHROMIUM_FLAGS },
  serviceWorkers: 'allow' as const,
  permissions: ['notifications'],
  // Without a push service the browser logs that it cannot subscribe.
  expectedErrors:
    /^Failed to load resource: net::ERR_INTERNET_DISCONNECTED|^Chrome currently does not support the Push API in incognito/,
};
