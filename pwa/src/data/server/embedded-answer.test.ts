import * as v from 'valibot';
import { beforeEach, describe, expect, test } from 'vitest';
import { embeddedAnswerFor } from './embedded-answer.ts';

const List = v.object({ total: v.number() });
const check = (given: unknown) => (v.is(List, given) ? given : undefined);

/** The page as the server wrote it. */
function write(answer: object): void {
  document.head.innerHTML = `<script type="application/json" id="answer">${JSON.stringify(answer)}</script>`;
}

const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString();

beforeEach(() => {
  document.head.innerHTML = '';
});

describe('the answer that came with the page', () => {
  test('is shown at once, as old as it is', () => {
    const at = secondsAgo(5);
    write({ call: 'api/tenders?state=Goa', at, answer: { total: 3 } });
    expect(embeddedAnswerFor('api/tenders?', check)).toEqual({
      'state=Goa': { answer: { total: 3 }, receivedAt: new Date(at) },
    });
  });

  test.each([
    ['to another call', { call: 'api/regions', at: secondsAgo(5), answer: { total: 3 } }],
    ['of a page that the browser had kept', { call: 'api/tenders?q=a', at: secondsAgo(61), answer: { total: 3 } }],
    [
      'from the future, as a wrong clock sees it',
      { call: 'api/tenders?q=a', at: secondsAgo(-61), answer: { total: 3 } },
    ],
    ['of another shape', { call: 'api/tenders?q=a', at: secondsAgo(5), answer: { total: 'many' } }],
    ['without an instant', { call: 'api/tenders?q=a', answer: { total: 3 } }],
    ['of nothing', {}],
  ])('is not taken %s: the server is asked', (_what, answer) => {
    write(answer);
    expect(embeddedAnswerFor('api/tenders?', check)).toEqual({});
  });

  test('is missed by nobody in a page without one', () => {
    expect(embeddedAnswerFor('api/tenders?', check)).toEqual({});
  });
});
