import { createParamDecorator } from '@nestjs/common';
import { LANGUAGES, type Language, languages, splitLanguage } from '@nivida/contract/languages';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** A browser names a few languages. */
const MAX_HEADER_LETTERS = 200;

/**
 * The language of the answer to a request: that of a page's address, else the first language of `Accept-Language` that we
 * have, else English. The app names its own language there.
 */
export function languageOfRequest(request: { url: string; headers: { 'accept-language'?: string } }): Language {
  const { language } = splitLanguage(request.url.split('?', 1)[0] ?? '');
  if (language !== 'en') return language;
  const accepted = (request.headers['accept-language'] ?? '').slice(0, MAX_HEADER_LETTERS);
  const wanted = accepted.split(',').flatMap((range) => {
    const [tag = '', weight = 'q=1'] = range.split(';').map((part) => part.trim().toLowerCase());
    const known = languages().find((each) => each === tag.split('-')[0]);
    const quality = Number(weight.replace('q=', ''));
    return known && quality > 0 ? [{ known, quality }] : [];
  });
  wanted.sort((a, b) => b.quality - a.quality);
  return wanted[0]?.known ?? 'en';
}

/** A parameter of a controller's method: the language of the answer, which its headers name. */
export const RequestLanguage = createParamDecorator((_data: unknown, context) => {
  const http = context.switchToHttp();
  const language = languageOfRequest(http.getRequest<FastifyRequest>());
  const reply = http.getResponse<FastifyReply>();
  reply.headers(languageHeaders(reply, language));
  return language;
});

/** Headers of an answer whose language depends on `Accept-Language`. */
export function languageHeaders(reply: FastifyReply, language: Language): Record<string, string> {
  const others = String(reply.getHeader('Vary') ?? '')
    .split(/, */)
    .filter((name) => name !== '' && name !== 'Accept-Language');
  return { 'Content-Language': LANGUAGES[language].locale, Vary: [...others, 'Accept-Language'].join(', ') };
}
