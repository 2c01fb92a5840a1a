/** Files that each page needs beside the app's own, from the build's list. The page preloads them. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The preload elements of a path's screen; '' for a page without any. */
export type GetPreloads = (path: string) => string;

/** Reads `screen-files.json` of the built app; without it nothing is preloaded. */
export async function readPreloads(folder: string): Promise<GetPreloads> {
  const list = join(folder, 'screen-files.json');
  if (!existsSync(list)) return () => '';
  const files: Record<string, string[]> = JSON.parse(await readFile(list, 'utf8'));
  const elements = Object.entries(files).map(([path, each]) => [path, each.map(preloadElement).join('')] as const);
  const byPath = new Map(elements);
  return (path) => byPath.get(screenPath(path)) ?? '';
}

/** The path as the build's list names it: '/tenders/:id'. */
function screenPath(path: string): string {
  return path
    .replace(/^\/(tenders|awards)\/\d+$/, '/$1/:id')
    .replace(/^\/analysis\/offices\/[^/]+$/, '/analysis/offices/:id')
    .replace(/^\/analysis\/[^/]+$/, '/analysis/:state');
}

/**
 * The browser runs each script in a task of its own, which a preload followed by the app's import would not do.
 * `crossorigin` must match the app's own requests, or the browser fetches the files twice.
 */
function preloadElement(file: string): string {
  return file.endsWith('.css')
    ? `<link rel="stylesheet" crossorigin href="${file}">`
    : `<script type="module" crossorigin src="${file}"></script>`;
}
