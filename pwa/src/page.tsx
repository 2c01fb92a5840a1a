/**
 * Renders the first screen of a page as HTML on the server, so that the page can be read before the app's
 * code loads.
 */
import { renderToString } from 'react-dom/server';
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router-dom';
import type { PageData } from './data/server/page.ts';
import { routes } from './routes.tsx';

const { query, dataRoutes } = createStaticHandler(routes);

/**
 * The content of `#root` at an address without its origin. '' for a screen that would be incomplete: only the
 * browser renders it. The content is the same for every visitor, because data of a device, such as the
 * session, is absent.
 */
export async function renderPage(address: string, data: PageData): Promise<string> {
  const context = await query(new Request(`http://localhost${address}`), { requestContext: data });
  if (context instanceof Response) return '';
  const router = createStaticRouter(dataRoutes, context);
  const html = renderToString(<StaticRouterProvider router={router} context={context} hydrate={false} />);
  // Every screen has a heading, and unfinished parts are marked as busy.
  return html.includes('<h1') && !html.includes('aria-busy="true"') ? html : '';
}
