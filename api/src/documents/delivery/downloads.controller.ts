import { t } from '@lingui/core/macro';
import { Controller, Get, Head, Header, Inject, Param, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { DAY_SECONDS } from '@nivida/contract/time';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../base/app-error.ts';
import type { Config } from '../../base/config.ts';
import { CONFIG } from '../../base/injection-tokens.ts';
import { parseRange } from '../../http/byte-range.ts';
import { PRIVATE_HEADERS, STYLE_PATH, sendPrivatePage } from '../../http/html/plain-page.ts';
import { RateLimitsService } from '../../http/limits/rate-limits.service.ts';
import { FormPost } from '../../http/routing/request-bodies.ts';
import { languageOfRequest } from '../../http/routing/request-language.ts';
import { senderOf } from '../../http/security/client-address.ts';
import { PackagesService } from '../packages/packages.service.ts';
import css from './download-page.css?raw';
import { downloadErrorPage, downloadOfferPage } from './download-page.ts';
import { type DownloadLink, DownloadLinksService } from './links.service.ts';

const WEEK_SECONDS = 7 * DAY_SECONDS;

/** The page and the file of a link, for browsers and download managers. */
@Controller()
@ApiExcludeController()
export class DownloadsController {
  constructor(
    private readonly links: DownloadLinksService,
    private readonly packages: PackagesService,
    private readonly limits: RateLimitsService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Get(`d/${STYLE_PATH}`)
  @Header('Content-Type', 'text/css; charset=utf-8')
  @Header('Cache-Control', `public, max-age=${WEEK_SECONDS}`)
  style(): string {
    return css;
  }

  @Get('d/:token')
  async page(@Param('token') token: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.respond(request, reply, async () => {
      const link = await this.links.findByToken(token);
      sendPrivatePage(reply, 200, link.language, downloadOfferPage(link));
    });
  }

  @Post('d/:token')
  @FormPost()
  async startDownload(
    @Param('token') token: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.respond(request, reply, async () => {
      const address = await this.links.createTicket(token);
      void reply.code(303).headers(PRIVATE_HEADERS).header('Location', address).send();
    });
  }

  /** The headers of a download; it charges nothing. */
  @Head('api/files/:ticket')
  async headFile(
    @Param('ticket') ticket: string,
    @Req() { headers }: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const link = await this.links.openTicket(ticket, resumedDigest(headers));
    void reply.headers(fileHeaders(link)).header('Content-Length', String(link.package.bytes)).send();
  }

  @Get('api/files/:ticket')
  async file(
    @Param('ticket') ticket: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const link = await this.links.openTicket(ticket, resumedDigest(request.headers));
    const { bytes, fileKey } = link.package;
    const range = parseRange(request.headers, bytes, etagOf(link));
    if (range === 'none') {
      void reply.code(416).headers(PRIVATE_HEADERS).header('Content-Range', `bytes */${bytes}`).send();
      return;
    }
    if (!(await this.packages.store.has(fileKey)))
      throw new AppError('NOT_FOUND', () => t`The file is not there any more`);
    await this.links.chargePlan(link);
    const headers = fileHeaders(link);
    const direct = await this.packages.store.downloadUrl(fileKey, {
      contentType: headers['Content-Type'],
      // Without quotes and stars, which some object stores sign differently.
      contentDisposition: `attachment; filename="${plainFileName(link)}"`,
    });
    if (direct !== undefined) {
      void reply.code(302).headers(PRIVATE_HEADERS).header('Location', direct).send();
      return;
    }
    const content = await this.packages.store.read(fileKey, range);
    void reply.headers(headers).header('Content-Length', String(range ? range.end - range.start + 1 : bytes));
    if (range) void reply.code(206).header('Content-Range', `bytes ${range.start}-${range.end}/${bytes}`);
    void reply.send(content);
  }

  /** Errors of a page are pages. */
  private async respond(request: FastifyRequest, reply: FastifyReply, work: () => Promise<void>): Promise<void> {
    try {
      await work().catch(async (error) => {
        if (error instanceof AppError && error.code === 'NOT_FOUND')
          await this.limits.consumeUnknownId(senderOf(request, this.config.production));
        throw error;
      });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const language = languageOfRequest(request);
      sendPrivatePage(reply, error.status, language, downloadErrorPage(error, language));
    }
  }
}

/** The digest of the file that a resumed download continues; null for a new download. */
function resumedDigest({ range, 'if-range': ifRange }: FastifyRequest['headers']): string | null {
  const goesOn = /^bytes=[1-9]\d*-/.test(range ?? '');
  return (goesOn && /^"([\da-f]{64})"$/.exec(String(ifRange))?.[1]) || null;
}

const etagOf = ({ package: { sha256 } }: DownloadLink): string => `"${sha256}"`;

const plainFileName = ({ package: { nit, version } }: DownloadLink): string =>
  `nivida-${nit.replace(/[^\w.-]+/g, '_').slice(-60)}-v${version}.zip`;

function fileHeaders(link: DownloadLink) {
  const { version, sha256 } = link.package;
  const spoken = encodeURIComponent(`${[...link.title].slice(0, 80).join('')} (version ${version}).zip`);
  // encodeURIComponent leaves quotes, brackets and stars, which have a meaning in this header.
  const safe = spoken.replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  return {
    ...PRIVATE_HEADERS,
    'Content-Type': 'application/zip',
    'Content-Disposition': `attachment; filename="${plainFileName(link)}"; filename*=UTF-8''${safe}`,
    'Accept-Ranges': 'bytes',
    ETag: etagOf(link),
    'Repr-Digest': `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`,
  };
}
