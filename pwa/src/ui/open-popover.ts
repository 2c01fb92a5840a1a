/** The selector of an open popover. It is valid in each browser; the class is that of the polyfill. */
export const OPEN_POPOVER = ':is(:popover-open, .\\:popover-open)';
