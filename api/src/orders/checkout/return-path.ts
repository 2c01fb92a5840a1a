import { AppError } from '../../http/errors/app-error.ts';

const RETURN_PATH_PATTERN = /^\/(?:payment-status|tenders(?:\/\d{1,10})?|pricing|dashboard\/payments)$/;
// Parsers drop or turn around these, so what one reads as our page another may read as somebody else's.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNSAFE_CHARACTERS = /[\u0000-\u001f\u007f\\]/u;

/**
 * The path of this app that a buyer comes back to, without query and hash. INVALID (422) for anything but one of the
 * pages that expect him: what the provider is told must never lead to a stranger, and a wrong client shall notice.
 */
export function parseReturnPath(redirectUrl: string, publicOrigin: string): string {
  const url = UNSAFE_CHARACTERS.test(redirectUrl) ? null : URL.parse(redirectUrl, publicOrigin);
  const isOurs = url?.origin === new URL(publicOrigin).origin && url.username === '' && url.password === '';
  // An origin followed by @ would be a user's name.
  if (!url || !isOurs || redirectUrl.includes('@') || !RETURN_PATH_PATTERN.test(url.pathname)) {
    const message = 'redirectUrl is not a page of this site';
    throw new AppError('INVALID', message, { redirectUrl: message }, 422);
  }
  return url.pathname;
}

/** Absolute address of a page of this app about an order. */
export function orderPageUrl(publicOrigin: string, path: string, publicId: string): string {
  return `${publicOrigin}${path}?id=${publicId}`;
}
