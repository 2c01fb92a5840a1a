import { pathIn, splitLanguage } from '@nivida/contract/languages';
import { forPrograms, invalidField } from '../../base/app-error.ts';
import type { OrderEntity } from '../order.entity.ts';

const RETURN_PATH_PATTERN = /^\/(?:payment-status|tenders(?:\/\d{1,10})?|pricing|dashboard\/payments)$/;
// URL parsers treat these characters differently. One may see our page where another sees a foreign one.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters
const UNSAFE_CHARACTERS = /[\u0000-\u001f\u007f\\]/u;

/**
 * The path of this app that the buyer returns to, without language, query and hash. INVALID (422) for any other address: the
 * provider must never redirect to a foreign site.
 */
export function parseReturnPath(redirectUrl: string, publicOrigin: string): string {
  const url = UNSAFE_CHARACTERS.test(redirectUrl) ? null : URL.parse(redirectUrl, publicOrigin);
  const isOurs = url?.origin === new URL(publicOrigin).origin && url.username === '' && url.password === '';
  const path = splitLanguage(url?.pathname ?? '').path;
  // An origin followed by @ would be a user name.
  if (!url || !isOurs || redirectUrl.includes('@') || !RETURN_PATH_PATTERN.test(path)) {
    throw invalidField('redirectUrl', forPrograms('redirectUrl is not a page of this site'), 422);
  }
  return path;
}

/** Absolute URL of this app's page about an order, in the order's language. */
export function orderPageUrl(
  publicOrigin: string,
  path: string,
  { language, publicId }: Pick<OrderEntity, 'language' | 'publicId'>,
): string {
  return `${publicOrigin}${pathIn(language, path)}?id=${publicId}`;
}
