import { Readable } from 'node:stream';
import { Controller, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { languages, pathIn, splitLanguage } from '@nivida/contract/languages';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { StreamBody } from '../http/routing/request-bodies.ts';

/**
 * The share target of the manifest. The service worker answers it on the device. Where there is none yet, the share reaches
 * the server, which stores nothing of it: the page says so and offers to choose the file.
 */
@Controller()
@ApiExcludeController()
export class ShareController {
  @Post(languages().map((language) => pathIn(language, '/share')))
  @StreamBody()
  async receive(@Req() { body, url }: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    // A browser that is not read to the end shows a broken connection instead of the page.
    if (body instanceof Readable) for await (const _ of body);
    const page = pathIn(splitLanguage(url).language, '/shared-files?problem=lost');
    void reply.code(303).header('Cache-Control', 'no-store').header('Location', page).send();
  }
}
