/** Draws the first screen of a page with the app's own code: it is read before the app's scripts have come. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PAGES } from '@nivida/contract/pages';
import type { Site } from '@nivida/contract/site';
import type { PageAnswer } from './page-head.ts';

/**
 * The content of `#root` for an address without its origin, by `answer` if its page has one; '' for what only the device
 * can draw. Throws what the app's code throws.
 */
export type DrawOf = (page: DrawnPage) => Promise<string>;

/** What a page is drawn from, beside the operator's settings. */
export interface DrawnPage {
  address: string;
  now: Date;
  /** For a desktop. */
  isWide: boolean;
  answer: PageAnswer | undefined;
}

/** What `pwa/src/page.tsx` is built to. */
interface Drawing {
  drawPage(parts: {
    address: string;
    site: Site;
    now: Date;
    isWide: boolean;
    answer?: { call: string; at: string; answer: unknown };
  }): Promise<string>;
}

/** Pages whose words hang on what a device keeps. */
const OF_DEVICES = ['/payment-status', '/bookmarks', '/notices'];

/** Loads the drawing that was built beside the pages in `folder`; without one every page begins empty. */
export async function loadDrawing(folder: string, site: Site): Promise<DrawOf> {
  const file = join(folder, '../dist-server/page.js');
  if (!existsSync(file)) return async () => '';
  const { drawPage }: Drawing = await import(file);
  const draw = ({ answer, ...page }: DrawnPage) => {
    if (!answer) return drawPage({ ...page, site });
    const { call, at, json } = answer;
    return drawPage({ ...page, site, answer: { call, at: at.toISOString(), answer: JSON.parse(json) } });
  };
  /** The pages that are the same for everybody until their answer is another. */
  const common = new Map<string, { json: string | undefined; html: string }>();

  return async (page) => {
    const { address, isWide, answer } = page;
    // with a query it is somebody's own
    const isCommon = Object.hasOwn(PAGES, address);
    if (OF_DEVICES.includes(address) || (!isCommon && !answer)) return '';
    const key = `${isWide} ${address}`;
    const last = common.get(key);
    if (last && last.json === answer?.json) return last.html;
    const html = await draw(page);
    if (isCommon) common.set(key, { json: answer?.json, html });
    return html;
  };
}
