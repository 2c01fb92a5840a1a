/** Functions that run in a page and read what its service worker has stored. */

/** The paths of the stored pages. */
export async function storedPages(): Promise<string[]> {
  const names = (await caches.keys()).filter((name) => name.startsWith('stored-pages-'));
  const pages = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
  return pages.flat().map(({ url }) => new URL(url).pathname);
}

/** The files that the page has loaded and the worker has not stored. */
export async function unstoredFiles(): Promise<string[]> {
  const files = performance.getEntriesByType('resource').filter(({ name }) => name.includes('/assets/'));
  const found = await Promise.all(files.map(async ({ name }) => ((await caches.match(name)) ? [] : [name])));
  return found.flat();
}

/** Makes the data of the stored pages older. Returns their number. */
export async function ageStoredPages(byMs: number): Promise<number> {
  let aged = 0;
  for (const name of (await caches.keys()).filter((each) => each.startsWith('stored-pages-'))) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      const stored = await cache.match(request, { ignoreVary: true });
      if (!stored) continue;
      const html = await stored.text();
      const older = html.replace(
        /("call":"[^"]*","at":")([^"]+)/,
        (_whole, before, at) => before + new Date(Date.parse(at) - byMs).toISOString(),
      );
      await cache.put(request, new Response(older, { headers: stored.headers }));
      aged++;
    }
  }
  return aged;
}

/** Deletes the stored code of the list's screen, as a browser does when it needs room. Returns its path. */
export async function deleteListCode(): Promise<string> {
  const cache = await caches.open('app-files');
  const code = (await cache.keys()).find(({ url }) => /\/TenderResults\.screen-[^/]*\.js$/.test(url));
  if (!code || !(await cache.delete(code))) throw new Error('the code of the list is not stored');
  return new URL(code.url).pathname;
}
