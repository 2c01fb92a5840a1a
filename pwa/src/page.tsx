/** Draws the first screen of a page as HTML: the server writes it into the page, to be read before the app's code is there. */
import type { Site } from '@nivida/contract/site';
import { renderToString } from 'react-dom/server';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { setServerTime } from './data/clock.ts';
import { takeSite } from './data/site.ts';
import { takeCounts } from './data/states.ts';
import { takeTenders } from './data/tenders.ts';
import type { Written } from './data/written.ts';
import { LEAD_SLOT } from './features/layout/TopLead.tsx';
import { loadScreen, routes } from './routes.tsx';
import { drawWide } from './ui/useIsWide.ts';

/** What a page is drawn from: its address without the origin, the operator's settings, the answer that it brings. */
export interface PageParts {
  address: string;
  site: Site;
  now: Date;
  /** For a desktop, with what stands beside the list there. */
  isWide: boolean;
  answer?: Written;
}

/** Moves what `TopLead` holds to its place in the top bar, as it does itself where there is a document. */
function leadInPlace(html: string): string {
  const lead = new RegExp(`<${LEAD_SLOT}>(.*?)</${LEAD_SLOT}>`, 's').exec(html);
  if (!lead) return html;
  const [whole, content = ''] = lead;
  return html.replace(whole, '').replace(`id="${LEAD_SLOT}">`, (slot) => slot + content);
}

/**
 * The content of `#root`; '' for a screen that would not be complete. Of what only a device knows, as who is signed in,
 * it shows what a new phone shows.
 */
export async function drawPage({ address, site, now, isWide, answer }: PageParts): Promise<string> {
  const router = createMemoryRouter(routes, { initialEntries: [address] });
  await loadScreen(router);
  // from here to its end without a pause: another page is drawn from other answers
  takeSite(site);
  drawWide(isWide);
  setServerTime(now.toUTCString());
  const written = answer ?? {};
  takeCounts(written);
  takeTenders(written);
  const html = renderToString(<RouterProvider router={router} useTransitions={false} />);
  router.dispose();
  // every screen has its heading, and what still loads says so
  if (!html.includes('<h1') || html.includes('aria-busy="true"')) return '';
  return (
    leadInPlace(html)
      // the head has it already
      .replace(/<title>[^<]*<\/title>/, '')
      // The security policy forbids styles in attributes; the page's first script sets these.
      .replaceAll(' style="', ' data-style="')
      // A form that only the app can send must not send itself, with all that was typed in an address.
      .replaceAll(/<form (?![^>]*action=)/g, '<form method="dialog" ')
  );
}
