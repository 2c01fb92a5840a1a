import { openTenders, tenderHeading } from '../support/tenders.ts';
import { expect, test } from '../support/test.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const HTML = /^text\/html/;
const JSON_TYPE = /^application\/json/;

test('a hard reload of a tender shows the page', async ({ page, request }) => {
  const [tender] = await openTenders(request, 'Himachal Pradesh');
  await page.goto(`/tenders/${tender?._id}`);
  await expect(tenderHeading(page, tender?.title ?? '')).toBeVisible();
  await page.reload();
  await expect(tenderHeading(page, tender?.title ?? '')).toBeVisible();
});

test.describe('the addresses that page and API share', () => {
  test('a client that asks for JSON gets the tenders', async ({ request }) => {
    const list = await request.get('/tenders?state=Kerala', { headers: { Accept: 'application/json' } });
    expect(list.headers()['content-type']).toMatch(JSON_TYPE);
    expect(list.headers().vary).toContain('Accept, User-Agent');
    const { tenders, total } = await list.json();
    expect(total).toBe(tenders.length);

    const one = await request.get(`/tenders/${tenders[0]._id}`, { headers: { Accept: 'application/json' } });
    expect((await one.json()).tender.title).toBe(tenders[0].title);
  });

  test('a browser gets the page', async ({ request }) => {
    for (const address of ['/tenders', '/tenders/1']) {
      const answer = await request.get(address, { headers: { Accept: BROWSER } });
      expect(answer.headers()['content-type']).toMatch(HTML);
      expect(answer.headers().vary).toContain('Accept, User-Agent');
    }
  });

  test('programs that make a preview of a shared link get the page', async ({ request }) => {
    for (const agent of [
      'WhatsApp/2.23.20.0',
      'TelegramBot (like TwitterBot)',
      'facebookexternalhit/1.1',
      'Slackbot 1.0',
    ]) {
      const answer = await request.get('/tenders/1', { headers: { Accept: '*/*', 'User-Agent': agent } });
      expect(answer.headers()['content-type'], agent).toMatch(HTML);
    }
  });
});
