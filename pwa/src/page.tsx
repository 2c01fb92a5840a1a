/** Draws the first screen of a page as HTML: the server writes it into the page, to be read before the app's code is there. */
import type { SiteSettings } from '@nivida/contract/site/site';
import { renderToString } from 'react-dom/server';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { setServerTime } from './data/clock.ts';
import type { EmbeddedAnswer } from './data/server/embedded-answer.ts';
import { setEmbeddedCounts } from './data/server/open-counts.ts';
import { setSite } from './data/server/site.ts';
import { setEmbeddedTenders } from './data/server/tenders.ts';
import { PAGE_HEADER_SLOT } from './features/layout/PageHeader.tsx';
import { loadScreen, routes } from './routes.tsx';
import { drawWide } from './ui/useIsWide.ts';

/** What a page is drawn from: its address without the origin, the operator's settings, the answer that it brings. */
export interface PageParts {
  address: string;
  site: SiteSettings;
  now: Date;
  /** For a desktop, with what stands beside the list there. */
  isWide: boolean;
  answer?: EmbeddedAnswer;
}

/** Moves what `PageHeader` holds to its place in the top bar, as it does itself where there is a document. */
function leadInPlace(html: string): string {
  const lead = new RegExp(`<${PAGE_HEADER_SLOT}>(.*?)</${PAGE_HEADER_SLOT}>`, 's').exec(html);
  if (!lead) return html;
  const [whole, content = ''] = lead;
  return html.replace(whole, '').replace(`id="${PAGE_HEADER_SLOT}">`, (slot) => slot + content);
}

/**
 * The content of `#root`; '' for a screen that would not be complete. Of what only a device knows, as who is signed in,
 * it shows what a new phone shows.
 */
export async function drawPage({ address, site, now, isWide, answer }: PageParts): Promise<string> {
  const router = createMemoryRouter(routes, { initialEntries: [address] });
  await loadScreen(router);
  // from here to its end without a pause: another page is drawn from other answers
  setSite(site);
  drawWide(isWide);
  setServerTime(now.toUTCString());
  const written = answer ?? {};
  setEmbeddedCounts(written);
  setEmbeddedTenders(written);
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
