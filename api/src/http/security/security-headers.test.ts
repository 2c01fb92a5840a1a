import { expect, test } from 'vitest';
import { readConfig } from '../../base/config.ts';
import { cdnHeaders, securityHeaders } from './security-headers.ts';

const rules = (env: NodeJS.ProcessEnv) =>
  String(securityHeaders(readConfig(env))['Content-Security-Policy']).split('; ');

test('forms may end at the object store only where browsers download from it', () => {
  const keys = { S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b' };
  const bucket = 's3://nivida?endpoint=https://s3.example.org';
  expect(rules({})).toContain("form-action 'self'");
  expect(rules({ FILES_URL: bucket, ...keys })).toContain("form-action 'self'");
  expect(rules({ FILES_URL: `${bucket}&downloads=redirect`, ...keys })).toContain(
    "form-action 'self' https://s3.example.org",
  );
});

test('if the site is on https, browsers must use https; otherwise nothing forces it', () => {
  const headers = securityHeaders(readConfig({ PUBLIC_ORIGIN: 'https://nivida.example' }));
  expect(headers['Strict-Transport-Security']).toBe('max-age=63072000; includeSubDomains');
  expect(rules({ PUBLIC_ORIGIN: 'https://nivida.example' })).toContain('upgrade-insecure-requests');
  expect(securityHeaders(readConfig({}))).not.toHaveProperty('Strict-Transport-Security');
  expect(rules({})).not.toContain('upgrade-insecure-requests');
});

test('without a built page no inline script is allowed, and a CDN is allowed for scripts, styles and calls', () => {
  expect(rules({})).toEqual(expect.arrayContaining(["script-src 'self'", "style-src 'self'", "connect-src 'self'"]));
  const own = "'self' https://cdn.example";
  expect(rules({ ASSET_ORIGIN: 'https://cdn.example' })).toEqual(
    expect.arrayContaining([`script-src ${own}`, `style-src ${own}`, `connect-src ${own}`, "default-src 'none'"]),
  );
});

test.each([
  ['/assets/app-1a2b3c.js', true],
  [`/api/sync/segments/${'0'.repeat(64)}`, true],
  ['/api/sync/himachal-pradesh', false],
  ['/api/me', false],
  ['/', false],
  ['/sw.js', false],
  ['/tenders/assets/x', false],
])('other sites may read %s from a CDN: %s; without a CDN they may not', (path, isReadable) => {
  const headers = cdnHeaders({ assetOrigin: 'https://cdn.example' }, path);
  expect(headers).toEqual(
    isReadable
      ? {
          'Access-Control-Allow-Origin': '*',
          'Access-Control-Expose-Headers': 'ETag, X-File-ETag, X-File-Offset',
          'Cross-Origin-Resource-Policy': 'cross-origin',
        }
      : {},
  );
  expect(cdnHeaders({ assetOrigin: undefined }, path)).toEqual({});
});
