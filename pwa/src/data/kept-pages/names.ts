/** The caches of kept pages, one for each build. */
export const KEPT_PAGES_PREFIX = 'kept-pages-';
/** The app's message to the worker: keep the page of this address. */
export const KEEP_PAGE = 'KEEP_PAGE';
