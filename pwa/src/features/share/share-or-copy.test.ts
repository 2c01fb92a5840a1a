// @vitest-environment node
import { describe, expect, test } from 'vitest';
import { type ShareCapabilities, shareOrCopy } from './share-or-copy.ts';

/** The calls of a browser and the result. */
async function send(browser: { share?: 'works' | string; clipboard?: 'works' | 'refuses' }) {
  const done: string[] = [];
  const ways: ShareCapabilities = {};
  if (browser.share) {
    ways.share = async ({ text }) => {
      done.push(`share ${text}`);
      if (browser.share !== 'works') throw new DOMException('no', browser.share);
    };
  }
  if (browser.clipboard) {
    ways.clipboard = {
      async writeText(text) {
        if (browser.clipboard === 'refuses') throw new DOMException('no', 'NotAllowedError');
        done.push(`copy ${text}`);
      },
    };
  }
  return { sent: await shareOrCopy('card', ways), done };
}

describe('sharing a text', () => {
  test('the apps of the device come first', async () => {
    expect(await send({ share: 'works', clipboard: 'works' })).toEqual({ sent: 'shared', done: ['share card'] });
  });

  test('closing the list of apps is no error and copies nothing', async () => {
    expect(await send({ share: 'AbortError', clipboard: 'works' })).toEqual({ sent: 'shared', done: ['share card'] });
  });

  test('a browser that cannot share copies', async () => {
    expect(await send({ clipboard: 'works' })).toEqual({ sent: 'copied', done: ['copy card'] });
  });

  test('where sharing is refused the text is copied', async () => {
    expect(await send({ share: 'NotAllowedError', clipboard: 'works' })).toEqual({
      sent: 'copied',
      done: ['share card', 'copy card'],
    });
  });

  test('a browser that can do neither leaves the text to be shown', async () => {
    expect((await send({})).sent).toBe('none');
    expect((await send({ clipboard: 'refuses' })).sent).toBe('none');
    expect((await send({ share: 'DataError', clipboard: 'refuses' })).sent).toBe('none');
  });
});
