import * as v from 'valibot';
import { expect, test } from 'vitest';
import { AppError } from '../../base/app-error.ts';
import { ContractPipe } from './contract.pipe.ts';
import { isPageOrApiPath, rewriteUrl } from './rewrite-url.ts';

const Order = v.object({
  name: v.pipe(v.string('Name is required'), v.minLength(3, 'Name is too short'), v.regex(/^[a-z]+$/, 'Letters only')),
  items: v.array(v.object({ count: v.number('Count must be a number') })),
});

test('an answer to a wrong body has the first message of each field, by its path', async () => {
  const read = (value: unknown) =>
    new ContractPipe().transform(value, { type: 'body', schema: Order } as unknown as Parameters<
      ContractPipe['transform']
    >[1]);
  const refused = await Promise.resolve(read({ name: '1', items: [{ count: 1 }, { count: 'x' }] })).catch(
    (error: unknown) => error,
  );
  expect(refused).toBeInstanceOf(AppError);
  const { code, status } = refused as AppError;
  expect({ code, status, ...(refused as AppError).textsIn('en') }).toEqual({
    code: 'INVALID',
    status: 400,
    message: 'Name is too short',
    fields: { name: 'Name is too short', 'items.1.count': 'Count must be a number' },
  });
  expect(await read({ name: 'asha', items: [] })).toEqual({ name: 'asha', items: [] });
});

test.each([
  ['/tenders', true],
  ['/tenders/17', true],
  ['/tenders/', false],
  ['/tenders/results', false],
  ['/tenders/bookmarked', false],
  ['/tenders/17/bookmark', false],
  ['/api/tenders', false],
  ['/', false],
])('the answer at %s depends on what the client accepts: %s', (path, depends) => {
  expect(isPageOrApiPath(path)).toBe(depends);
});

test.each([
  ['POST', '/auth/login?x=1', '/api/auth/login?x=1'],
  ['DELETE', '/tenders/17/bookmark', '/api/tenders/17/bookmark'],
  ['GET', '/tenders/bookmarked', '/api/tenders/bookmarked'],
  ['GET', '/tenders?q=road', '/api/tenders?q=road'],
  ['HEAD', '/tenders/17', '/api/tenders/17'],
  ['POST', '/tenders/17', '/tenders/17'],
  ['GET', '/tenders/results', '/tenders/results'],
  ['GET', '/auth/login/more', '/auth/login/more'],
  ['GET', '/api/tenders', '/api/tenders'],
  ['GET', 'http://localhost/tenders', '/api/tenders'],
  ['GET', 'HTTP://other.example:80//tenders', '//tenders'],
])('a program that asks for JSON by %s %s is answered at %s', (method, url, routed) => {
  expect(rewriteUrl({ method, url, headers: { accept: 'application/json' } })).toBe(routed);
});

test('a browser, a crawler and a client that accepts anything get the page of a tender at its own address', () => {
  for (const headers of [
    { accept: 'text/html' },
    { accept: '*/*' },
    {},
    { accept: '*/*', 'user-agent': 'WhatsApp/2.23' },
  ])
    expect(rewriteUrl({ method: 'GET', url: '/tenders/17', headers })).toBe('/tenders/17');
});
