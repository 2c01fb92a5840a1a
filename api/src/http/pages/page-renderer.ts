/** Draws the first screen of a page with the app's own code: it is read before the app's scripts have come. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PAGE_TEXTS } from '@nivida/contract/site/pages';
import type { SiteSettings } from '@nivida/contract/site/site';
import type { PageData } from './page-metadata.ts';

/**
 * The content of `#root` for an address without its origin, by `answer` if its page has one; '' for what only the device
 * can draw. Throws what the app's code throws.
 */
export type RenderPage = (page: PageRenderInput) => Promise<string>;

/** What a page is drawn from, beside the operator's settings. */
export interface PageRenderInput {
  address: string;
  now: Date;
  /** For a desktop. */
  isWide: boolean;
  data: PageData | undefined;
}

/** What `pwa/src/page.tsx` is built to. */
interface RendererModule {
  drawPage(parts: {
    address: string;
    site: SiteSettings;
    now: Date;
    isWide: boolean;
    answer?: { call: string; at: string; answer: unknown };
  }): Promise<string>;
}

/** Pages whose words hang on what a device keeps. */
const DEVICE_PAGES = ['/payment-status', '/bookmarks', '/notices'];

/** Loads the drawing that was built beside the pages in `folder`; without one every page begins empty. */
export async function loadPageRenderer(folder: string, site: SiteSettings): Promise<RenderPage> {
  const file = join(folder, '../dist-server/page.js');
  if (!existsSync(file)) return async () => '';
  const { drawPage }: RendererModule = await import(file);
  const render = ({ data: answer, ...page }: PageRenderInput) => {
    if (!answer) return drawPage({ ...page, site });
    const { call, at, json } = answer;
    return drawPage({ ...page, site, answer: { call, at: at.toISOString(), answer: JSON.parse(json) } });
  };
  /** The pages that are the same for everybody until their answer is another. */
  const common = new Map<string, { json: string | undefined; html: string }>();

  return async (page) => {
    const { address, isWide, data: answer } = page;
    // with a query it is somebody's own
    const isCommon = Object.hasOwn(PAGE_TEXTS, address);
    if (DEVICE_PAGES.includes(address) || (!isCommon && !answer)) return '';
    const key = `${isWide} ${address}`;
    const last = common.get(key);
    if (last && last.json === answer?.json) return last.html;
    const html = await render(page);
    if (isCommon) common.set(key, { json: answer?.json, html });
    return html;
  };
}
