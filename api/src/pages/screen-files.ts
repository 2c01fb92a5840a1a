/**
 * Finds the files of a page's screen, which the page preloads. The table of pages names the screen; the manifest of Vite's
 * build names its files.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { splitLanguage } from '@nivida/contract/languages';
import { findPage } from '@nivida/contract/site/pages';

/** The manifest of Vite's build: files by the path of their source below `pwa`, or by a name of their own. */
type Manifest = Readonly<Record<string, { file: string; imports?: string[]; css?: string[] }>>;

/** The addresses of a screen's files, imported ones first. Styles come before scripts, because they delay the first paint. */
function filesOf(manifest: Manifest, screen: string): string[] {
  const read = new Set<string>();
  const styles: string[] = [];
  const scripts: string[] = [];
  const add = (key: string): void => {
    const entry = manifest[key];
    if (!entry || read.has(key)) return;
    read.add(key);
    for (const each of entry.imports ?? []) add(each);
    styles.push(...(entry.css ?? []));
    scripts.push(entry.file);
  };
  add(`src/screens/${screen}.screen.tsx`);
  return [...new Set([...styles, ...scripts])].map((file) => `/${file}`);
}

/** The files that the page at a path needs in addition to those of every page. */
export type GetScreenFiles = (path: string) => string[];

/** Reads the manifest and the page of the built app in `folder`. Without a manifest nothing is preloaded. */
export async function readScreenFiles(folder: string): Promise<GetScreenFiles> {
  const path = join(folder, '.vite/manifest.json');
  if (!existsSync(path)) return () => [];
  const manifest: Manifest = JSON.parse(await readFile(path, 'utf8'));
  const html = await readFile(join(folder, 'index.html'), 'utf8');
  return (address) => {
    const page = findPage(splitLanguage(address).path)?.page;
    if (!page?.landing || !page.screen) return [];
    return filesOf(manifest, page.screen).filter((file) => !html.includes(`="${file}"`));
  };
}

/** The elements that preload files. */
export const preloadElements = (files: readonly string[]): string => files.map(preloadElement).join('');

/**
 * The element that loads one file. A script element makes the browser run each script in a task of its own; a preload with
 * a later import would not. `crossorigin` must match the app's own requests, or the browser fetches the files twice.
 */
function preloadElement(file: string): string {
  return file.endsWith('.css')
    ? `<link rel="stylesheet" crossorigin href="${file}">`
    : `<script type="module" crossorigin src="${file}"></script>`;
}
