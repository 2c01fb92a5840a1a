/** Tests the app with its files from a second origin, like a CDN that pulls them from the server. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Deployment } from '../support/deployment.ts';
import { waitForWholeApp } from '../support/phone.ts';
import { waitForPacks } from '../support/servers.ts';
import { cards, offlineBanner } from '../support/tenders.ts';
import { expect, test } from '../support/test.ts';

const LIST = '/tenders/results?state=Himachal+Pradesh';

test.use({ serviceWorkers: 'allow', expectedErrors: /net::ERR_(?:INTERNET_DISCONNECTED|FAILED|CONNECTION_REFUSED)/ });

/**
 * A CDN at another port of this machine. Cookies of this machine would be sent there too. It stores nothing.
 */
async function startCdn(): Promise<{
  server: Server;
  origin: string;
  requests: Map<string, IncomingHttpHeaders>;
  source: string;
}> {
  const cdn = { requests: new Map<string, IncomingHttpHeaders>(), source: '' };
  const server = createServer(async ({ url = '', headers }, response) => {
    cdn.requests.set(url, headers);
    const asked = await fetch(cdn.source + url, { headers: { 'accept-encoding': 'identity' } });
    const sent = [...asked.headers].filter(([name]) => name !== 'connection' && name !== 'transfer-encoding');
    response.writeHead(asked.status, sent).end(Buffer.from(await asked.arrayBuffer()));
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return Object.assign(cdn, { server, origin: `http://localhost:${port}` });
}

test('the app with files from a CDN is installed and works without a connection, and the CDN gets neither cookies nor a session', async ({
  page,
  context,
}, testInfo) => {
  const cdn = await startCdn();
  const deployment = await Deployment.start(testInfo.outputPath('deployment'), {
    ASSET_ORIGIN: cdn.origin,
    DEMO: 'on',
  });
  cdn.source = deployment.origin;
  const ownFiles: string[] = [];
  page.on('request', (request) => {
    const { origin, pathname } = new URL(request.url());
    if (origin === deployment.origin && pathname.startsWith('/assets/')) ownFiles.push(pathname);
  });
  try {
    await context.addCookies([{ name: 'secret', value: 'x', url: deployment.origin }]);
    await waitForPacks(deployment.origin, ['himachal-pradesh']);
    await page.goto(deployment.origin + LIST);
    await expect(cards(page).first()).toBeVisible();
    await waitForWholeApp(page);
    // The segments of the shown state.
    await expect
      .poll(() => [...cdn.requests.keys()].filter((url) => url.startsWith('/api/sync/segments/')).length)
      .toBeGreaterThan(1);
    // A worker must have the page's own origin.
    expect(ownFiles.filter((path) => !path.startsWith('/assets/worker-'))).toEqual([]);
    expect([...cdn.requests.keys()].filter((url) => !/^\/(?:assets|api\/sync\/segments)\//.test(url))).toEqual([]);
    for (const headers of cdn.requests.values()) {
      expect(headers).not.toHaveProperty('cookie');
      expect(headers).not.toHaveProperty('authorization');
    }

    // Without a connection every screen opens, even screens that were never shown. The list is searched on
    // the device.
    cdn.server.closeAllConnections();
    cdn.server.close();
    await context.setOffline(true);
    await page.goto(deployment.origin + LIST);
    await expect(offlineBanner(page)).toBeVisible();
    await expect(cards(page).first()).toBeVisible();
    for (const [address, heading] of [
      ['/pricing', 'Plans'],
      ['/about', 'About Us'],
      ['/dashboard/applications', 'My Applications'],
    ] as const) {
      await page.goto(deployment.origin + address);
      await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
    }

    // With a connection but without the CDN, the installed app continues to work.
    await context.setOffline(false);
    await page.goto(`${deployment.origin}/contact`);
    await expect(page.getByRole('heading', { level: 1, name: 'Contact' })).toBeVisible();
  } finally {
    cdn.server.close();
    await deployment.remove();
  }
});
