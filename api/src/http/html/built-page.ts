/** Reads the page and the service worker of the built app. With `ASSET_ORIGIN` both contain the address of the CDN. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface BuiltPage {
  html: string;
  /** Id of the build in the service worker's list. The worker does not store pages of another build. */
  build: string;
}

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

/**
 * The page of the app in `folder`; undefined if the app is not built. With `assetOrigin` it loads its files from there.
 * Chunks import each other by the page's import map, so only the page is changed. Another origin gives another build id.
 */
export function readBuiltPage(folder: string, assetOrigin: string | undefined): BuiltPage | undefined {
  const file = join(folder, 'index.html');
  if (!existsSync(file)) return undefined;
  const html = withAssetOrigin(readFileSync(file, 'utf8'), assetOrigin);
  return { html, build: md5(html) };
}

/** Moves the addresses below /assets to `assetOrigin`. */
export const withAssetOrigin = (html: string, assetOrigin = ''): string =>
  html.replaceAll('"/assets/', `"${assetOrigin}/assets/`);

/** The service worker for `page`. It fetches files from `assetOrigin` and lists the page's build. */
export function readServiceWorker(folder: string, page: BuiltPage, assetOrigin: string): string {
  const script = readFileSync(join(folder, 'sw.js'), 'utf8');
  const built = md5(readFileSync(join(folder, 'index.html'), 'utf8'));
  return `self.ASSET_ORIGIN=${JSON.stringify(assetOrigin)};${script.replaceAll(built, page.build)}`;
}
