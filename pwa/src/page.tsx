/**
 * Renders the first screen of a page as HTML on the server, so that the page can be read before the app's
 * code loads.
 */

import type { Messages } from '@lingui/core';
import { addTexts, inLanguage } from '@nivida/contract/i18n';
import { LANGUAGES, type Language, languageOfFile, languages, splitLanguage } from '@nivida/contract/languages';
import { renderToString } from 'react-dom/server';
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router-dom';
import type { PageData } from './data/server/page.ts';
import { routes } from './routes.tsx';

const CATALOGUES: Record<string, { messages: Messages }> = import.meta.glob('../../texts/*.po', {
  query: '?part=app',
  eager: true,
});
for (const [path, { messages }] of Object.entries(CATALOGUES)) addTexts(languageOfFile(path), messages);

const handlers = Object.fromEntries(
  languages().map((language) => [
    language,
    createStaticHandler(routes, { basename: LANGUAGES[language].prefix || '/' }),
  ]),
) as Record<Language, ReturnType<typeof createStaticHandler>>;

/**
 * The content of `#root` at an address without its origin, in the language of the address. '' for a screen that
 * would be incomplete: only the browser renders it. The content is the same for every visitor, because data of a device, such as the
 * session, is absent.
 */
export async function renderPage(address: string, data: PageData): Promise<string> {
  const { language } = splitLanguage(address.split('?', 1)[0] ?? '');
  const { query, dataRoutes } = handlers[language];
  const context = await query(new Request(`http://localhost${address}`), { requestContext: data });
  if (context instanceof Response) return '';
  const router = createStaticRouter(dataRoutes, context);
  const html = inLanguage(language, () =>
    renderToString(<StaticRouterProvider router={router} context={context} hydrate={false} />),
  );
  // Every screen has a heading, and unfinished parts are marked as busy.
  return html.includes('<h1') && !html.includes('aria-busy="true"') ? html : '';
}
