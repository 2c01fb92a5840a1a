import { createParamDecorator } from '@nestjs/common';
import { LANGUAGES, type Language, languages, splitLanguage } from '@nivida/contract/languages';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * The language of the answer to a request: that of a page's address, else the first language of `Accept-Language` that we
 * have, else English. The app names its own language there.
 */
export function languageOfRequest(request: { url: string; headers: { 'accept-language'?: string } }): Language {
  const { language } = splitLanguage(request.url);
  if (language !== 'en') return language;
  const wanted = (request.headers['accept-language'] ?? '').split(',').flatMap((range) => {
    const [tag = '', weight = '1'] = range.trim().split(/\s*;\s*q=/);
    const [primary = ''] = tag.toLowerCase().split('-');
    return Number(weight) > 0 ? [{ primary, weight: Number(weight) }] : [];
  });
  wanted.sort((a, b) => b.weight - a.weight);
  const known = new Set<string>(languages());
  return (wanted.find(({ primary }) => known.has(primary))?.primary ?? 'en') as Language;
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
