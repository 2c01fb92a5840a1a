import { DAY_MS } from '../time.ts';

/** How long an order stays open after the end of its payment page while the provider still says pending. */
export const MAX_UNCONFIRMED_MS = 3 * DAY_MS;
