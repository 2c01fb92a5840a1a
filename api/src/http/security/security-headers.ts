/** Security headers of every answer, including those that reach no route, and cache rules of personal answers. */
import { createHash } from 'node:crypto';
import { Header } from '@nestjs/common';
import { FILE_ETAG_HEADER, FILE_OFFSET_HEADER } from '@nivida/contract/sync/sync';
import type { FastifyReply } from 'fastify';
import type { Config } from '../../base/config.ts';
import { readBuiltPage } from '../html/built-page.ts';

const HSTS_SECONDS = 63_072_000;

/** Decorates a route whose answer must not be stored by any cache. */
export const NoStore = () => Header('Cache-Control', 'no-store');

/** Decorates a route whose answer holds a buyer's documents or invoices. */
export const PrivateNoStore = () => Header('Cache-Control', 'private, no-store');

/** `Cache-Control` of an answer that is the same for everyone: browsers ask each time, a shared cache may answer for some seconds. */
export const sharedCache = (seconds: number): string => `public, max-age=0, must-revalidate, s-maxage=${seconds}`;

/** Keeps an answer out of shared caches. */
export function keepPrivate(reply: FastifyReply): void {
  const caching = reply.getHeader('Cache-Control');
  if (typeof caching === 'string') reply.header('Cache-Control', caching.replace('public', 'private'));
}

/** Kinds of content that are not listed cannot be loaded. */
const CONTENT_SECURITY_POLICY = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'font-src': "'self'",
  'connect-src': "'self'",
  'manifest-src': "'self'",
  'worker-src': "'self'",
  'form-action': "'self'",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
  'object-src': "'none'",
  'require-trusted-types-for': "'script'",
  'trusted-types': 'nivida-sw nivida-engine',
};

/** Browser features that the app never uses. Browsers log a warning for names they do not know. */
const UNUSED_FEATURES = [
  'accelerometer',
  'autoplay',
  'camera',
  'display-capture',
  'encrypted-media',
  'fullscreen',
  'geolocation',
  'gyroscope',
  'hid',
  'idle-detection',
  'local-fonts',
  'magnetometer',
  'midi',
  'payment',
  'picture-in-picture',
  'serial',
  'usb',
  'xr-spatial-tracking',
];

/**
 * The hash of the page's import map, for the security policy; '' for a page without one. The app's files find each other
 * by this map. It is inline because browsers read no other one.
 */
function importMapSource(folder: string, assetOrigin: string | undefined): string {
  const page = readBuiltPage(folder, assetOrigin)?.html ?? '';
  const map = /<script type="importmap">([^<]*)<\/script>/.exec(page)?.[1];
  return map === undefined ? '' : `'sha256-${createHash('sha256').update(map).digest('base64')}'`;
}

/** The headers by name, for the built app in `pagesFolder` if there is one. Without TLS the two that force https are left out. */
export function securityHeaders(
  { publicOrigin, assetOrigin, files }: Pick<Config, 'publicOrigin' | 'assetOrigin' | 'files'>,
  pagesFolder?: string,
): Record<string, string> {
  const overHttps = publicOrigin.startsWith('https:');
  const own = ["'self'", assetOrigin].filter(Boolean).join(' ');
  const scripts = [own, pagesFolder ? importMapSource(pagesFolder, assetOrigin) : ''].filter(Boolean).join(' ');
  // Browsers apply this rule to redirects of a form too. The form of a download is redirected to the object store.
  const forms = files.kind === 'bucket' && files.redirectsDownloads ? `'self' ${files.endpoint}` : "'self'";
  const sources = { 'script-src': scripts, 'style-src': own, 'connect-src': own, 'form-action': forms };
  const policy = Object.entries({ ...CONTENT_SECURITY_POLICY, ...sources }).map((each) => each.join(' '));
  if (overHttps) policy.push('upgrade-insecure-requests');
  return {
    'Content-Security-Policy': policy.join('; '),
    ...(overHttps && { 'Strict-Transport-Security': `max-age=${HSTS_SECONDS}; includeSubDomains` }),
    'Permissions-Policy': [
      ...UNUSED_FEATURES.map((feature) => `${feature}=()`),
      // For spoken searches, and for a screen that stays on while a state is downloaded.
      'microphone=(self)',
      'screen-wake-lock=(self)',
    ].join(', '),
    // Not 'no-referrer', because a payment provider must see which shop sends the buyer.
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    // A payment page may open in a window of its own and return.
    'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Origin-Agent-Cluster': '?1',
    'X-Permitted-Cross-Domain-Policies': 'none',
    'X-DNS-Prefetch-Control': 'off',
  };
}

/** Files whose bytes never change: a CDN may deliver them. */
const CDN_PATH = /^\/(?:assets|api\/sync\/segments)\//;

/** Extra headers of a file that a CDN delivers to the app's pages; none without a CDN. */
export function cdnHeaders({ assetOrigin }: Pick<Config, 'assetOrigin'>, path: string): Record<string, string> {
  if (!assetOrigin || !CDN_PATH.test(path)) return {};
  return {
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': `ETag, ${FILE_ETAG_HEADER}, ${FILE_OFFSET_HEADER}`,
    'Cross-Origin-Resource-Policy': 'cross-origin',
  };
}
