import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

const ANSWER = {
  supportEmail: 'help@example.in',
  privacyEmail: null,
  dpoEmail: null,
  socialUrl: 'https://example.in/nivida',
  legalName: null,
  legalAddress: null,
  supportPhone: null,
  grievanceName: null,
  grievanceEmail: null,
  gstin: null,
  googleClientId: null,
  payments: 'sandbox',
  freePlan: null,
  answerHours: null,
  searchVersion: null,
};

/** The app after a start with data stored in the browser. */
async function start(stored: string | null) {
  vi.resetModules();
  localStorage.clear();
  if (stored !== null) localStorage.setItem('site', stored);
  const { reportScreenReady } = await import('../first-screen.ts');
  reportScreenReady();
  return import('./site.ts');
}

function answerWith(answer: () => Response) {
  const calls = vi.fn(async () => answer());
  vi.stubGlobal('fetch', calls);
  return calls;
}

beforeEach(() => localStorage.clear());
afterEach(() => vi.unstubAllGlobals());

describe('the settings of the operator', () => {
  test('are empty on a first visit', async () => {
    const { currentSite: knownSite } = await start(null);
    expect(knownSite().supportEmail).toBeNull();
  });

  test.each([null, '{"payments":null}', '{"payments":"other"}'])(
    'say neither test nor real payments before they are known (%j stored)',
    async (stored) => {
      const { currentSite: knownSite, refreshSite } = await start(stored);
      expect(knownSite().payments).toBeNull();
      answerWith(() => Response.json({ ...ANSWER, payments: 'live' }));
      await refreshSite();
      expect(knownSite().payments).toBe('live');
    },
  );

  test('are not replaced by an answer without the kind of payments', async () => {
    const { currentSite: knownSite, refreshSite } = await start(JSON.stringify(ANSWER));
    answerWith(() => Response.json({ ...ANSWER, supportEmail: null, payments: null }));
    await refreshSite();
    expect(knownSite()).toEqual(ANSWER);
  });

  test('come from the server and are stored for the next start without a network', async () => {
    answerWith(() => Response.json(ANSWER));
    const first = await start(null);
    await first.refreshSite();
    expect(first.currentSite()).toEqual(ANSWER);

    const next = await start(localStorage.getItem('site'));
    expect(next.currentSite().supportEmail).toBe('help@example.in');
  });

  test('add the tax note to a price only where the seller is registered for GST', async () => {
    const { currentSite: knownSite, taxNote } = await start(JSON.stringify({ ...ANSWER, gstin: '02ABCDE1234F1ZC' }));
    expect(taxNote(knownSite())).toBe('GST included');
    expect(taxNote((await start(null)).currentSite())).toBe('');
  });

  test.each(['not JSON', 'null', '3', '{"supportEmail":{"a":1}}'])('are empty when %j was stored', async (stored) => {
    const { currentSite: knownSite } = await start(stored);
    expect(knownSite().supportEmail).toBeNull();
  });

  test('are the stored ones when the server cannot be reached, and are requested again', async () => {
    const { currentSite: knownSite, refreshSite } = await start(JSON.stringify(ANSWER));
    answerWith(() => new Response('', { status: 500 }));
    await refreshSite();
    expect(knownSite().socialUrl).toBe('https://example.in/nivida');

    const calls = answerWith(() => Response.json({ ...ANSWER, socialUrl: null }));
    await Promise.all([refreshSite(), refreshSite()]);
    expect(knownSite().socialUrl).toBeNull();
    expect(calls).toHaveBeenCalledTimes(1);
  });
});
