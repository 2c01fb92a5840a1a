/** Renders the first screen of a page with the app's own code, so that visitors can read it before the scripts load. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { splitLanguage } from '@nivida/contract/languages';
import { findPage } from '@nivida/contract/site/pages';
import type { SiteSettings } from '@nivida/contract/site/site';
import type { PageAnswer } from '../http/html/page-metadata.ts';

/**
 * Renders the content of `#root` for an address without its origin. `answer` is the page's data, if it has any. '' for a
 * page that only the device can render. The content is the same for every visitor. Throws the errors of the app's code.
 */
export type RenderPage = (address: string, answer: PageAnswer | undefined) => Promise<string>;

/** The build of `pwa/src/page.tsx`. */
interface RendererModule {
  renderPage(
    address: string,
    data: { site: SiteSettings; answer?: { call: string; at: string; answer: unknown } },
  ): Promise<string>;
}

/** Loads the renderer from the build in `folder`. Without a renderer every page starts empty. */
export async function loadPageRenderer(folder: string, site: SiteSettings): Promise<RenderPage> {
  const file = join(folder, '../dist-server/page.js');
  if (!existsSync(file)) return async () => '';
  const { renderPage }: RendererModule = await import(file);
  const render = (address: string, answer: PageAnswer | undefined) => {
    if (!answer) return renderPage(address, { site });
    const { call, at, json } = answer;
    return renderPage(address, { site, answer: { call, at: at.toISOString(), answer: JSON.parse(json) } });
  };
  /** Cached pages without a query. A page is valid until its answer changes or a minute passes, because home shows the time. */
  const common = new Map<string, { json: string | undefined; minute: number; html: string }>();

  return async (address, answer) => {
    const page = findPage(splitLanguage(address).path)?.page;
    const isCommon = page?.landing === 'static';
    if (page?.isPrivate || (!isCommon && !answer)) return '';
    const last = common.get(address);
    const minute = Math.floor((answer?.at.getTime() ?? 0) / 60_000);
    if (last && last.json === answer?.json && last.minute === minute) return last.html;
    const html = await render(address, answer);
    if (isCommon) common.set(address, { json: answer?.json, minute, html });
    return html;
  };
}
