/** Plain HTML pages that open from any mail program, without the app. */

import { currentLanguage } from '@nivida/contract/i18n';
import { knownLanguage, LANGUAGES, type Language, pathIn } from '@nivida/contract/languages';
import type { FastifyReply } from 'fastify';
import { languageHeaders } from '../routing/request-language.ts';

/** Address of the style sheet below `/d/`. Tokens are longer, so it cannot be the address of a link. */
export const STYLE_PATH = 'style.css';

/** Headers of every answer behind a secret link: not cached, not indexed, no referrer. */
export const PRIVATE_HEADERS = {
  'Cache-Control': 'private, no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
};

/** Answers with a page behind a secret link, in `language`. */
export function sendPrivatePage(reply: FastifyReply, status: number, language: Language, html: string): void {
  const headers = { ...PRIVATE_HEADERS, ...languageHeaders(reply, knownLanguage(language)) };
  void reply.code(status).headers(headers).type('text/html; charset=utf-8').send(html);
}

/** A complete page around an HTML body, in the present language. */
export function plainPage(title: string, body: string, footer: string): string {
  const language = currentLanguage();
  return `<!doctype html>
<html lang="${LANGUAGES[knownLanguage(language)].locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="robots" content="noindex">
<title>${title} - Nivida</title>
<link rel="icon" href="/icons/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/d/${STYLE_PATH}">
</head>
<body>
<header><a href="${pathIn(language, '/')}">Nivida <span lang="hi">निविदा</span></a></header>
<main>
${body}
</main>
<footer>${footer}</footer>
</body>
</html>
`;
}
