/** The page and the service worker of the built app. Both name the CDN of `ASSET_ORIGIN` where there is one. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface BuiltPage {
  html: string;
  /** The name of the build in the worker's list; pages of another one are not stored. */
  build: string;
}

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

/**
 * The page of the app in `folder`; undefined without a build. With `assetOrigin` it loads its files from there: the chunks
 * import each other by the page's import map, so only the page has to be changed. Another origin is another build.
 */
export function readBuiltPage(folder: string, assetOrigin: string | undefined): BuiltPage | undefined {
  const file = join(folder, 'index.html');
  if (!existsSync(file)) return undefined;
  const html = withAssetOrigin(readFileSync(file, 'utf8'), assetOrigin);
  return { html, build: md5(html) };
}

/** HTML whose files below /assets are at `assetOrigin`. */
export const withAssetOrigin = (html: string, assetOrigin = ''): string =>
  html.replaceAll('"/assets/', `"${assetOrigin}/assets/`);

/** The service worker for `page`, which fetches the files from `assetOrigin` and has the page's build in its list. */
export function readServiceWorker(folder: string, page: BuiltPage, assetOrigin: string): string {
  const script = readFileSync(join(folder, 'sw.js'), 'utf8');
  const built = md5(readFileSync(join(folder, 'index.html'), 'utf8'));
  return `self.ASSET_ORIGIN=${JSON.stringify(assetOrigin)};${script.replaceAll(built, page.build)}`;
}
