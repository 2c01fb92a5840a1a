import { createElement, type ReactNode, useLayoutEffect, useState } from 'react';
import { createPortal } from 'react-dom';

/** The id of the place in the top bar that `PageHeader` fills; where the server draws the page, what fills it is an element of this name, to be moved. */
export const PAGE_HEADER_SLOT = 'top-lead';

/**
 * Puts a screen's own words where the brand stands in a phone's top bar, for as long as the screen is there; from
 * 60rem the brand stays. Works from anywhere within a screen; one at a time.
 */
export function PageHeader({ children }: { children: ReactNode }) {
  const [slot, setSlot] = useState<HTMLElement | null>(null);
  // The bar and the screen may be drawn in the same pass: its place exists only after it.
  useLayoutEffect(() => setSlot(document.getElementById(PAGE_HEADER_SLOT)), []);
  if (!globalThis.document) return createElement(PAGE_HEADER_SLOT, null, children);
  return slot && createPortal(children, slot);
}
