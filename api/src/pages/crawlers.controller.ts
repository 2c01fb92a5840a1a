/** The files that search engines request: robots.txt and the map of open tenders. */
import { Controller, Get, Header, Inject, Param, Res } from '@nestjs/common';
import { ApiOkResponse, ApiProduces } from '@nestjs/swagger';
import { languages, pathIn } from '@nivida/contract/languages';
import { FREE_PAGE_TEXT, pageEntries } from '@nivida/contract/site/pages';
import { escapeUTF8 } from 'entities';
import type { FastifyReply } from 'fastify';
import { AppError, forPrograms } from '../base/app-error.ts';
import type { Config } from '../base/config.ts';
import { CONFIG } from '../base/injection-tokens.ts';
import { addressIn, alternates } from '../http/html/page-metadata.ts';
import { TendersService } from '../tenders/tenders.service.ts';

const XML_HEADER = ['Content-Type', 'application/xml; charset=utf-8'] as const;
const ONE_HOUR_CACHE = ['Cache-Control', 'public, max-age=3600'] as const;
const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';
const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
/** For the links between the languages of a page. */
const LINK_NAMESPACE = 'xmlns:xhtml="http://www.w3.org/1999/xhtml"';

/** Paths of pages that concern only the visitor. */
function privatePaths(): string[] {
  const pages = pageEntries().flatMap(([path, { isPrivate }]) => (isPrivate ? path : []));
  const paths = ['/api/', '/d/', ...languages().flatMap((language) => pages.map((path) => pathIn(language, path)))];
  return paths.filter((path) => !paths.some((other) => path.startsWith(`${other}/`)));
}

/** Paths of pages that are the same for each visitor. When nothing is sold, pages about prices are left out. */
function mappedPaths(sellsNothing: boolean): string[] {
  return pageEntries().flatMap(([path, { landing, isPrivate, free }]) =>
    landing === 'static' && !isPrivate && !(sellsNothing && free === FREE_PAGE_TEXT) ? path : [],
  );
}

@Controller()
export class CrawlersController {
  constructor(
    private readonly tenders: TendersService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Get('robots.txt')
  @Header('Content-Type', 'text/plain; charset=utf-8')
  @Header(...ONE_HOUR_CACHE)
  @ApiProduces('text/plain')
  @ApiOkResponse({ schema: { type: 'string' } })
  robots(): string {
    const refused = privatePaths()
      .map((path) => `Disallow: ${path.replace(/:\w+/g, '*')}`)
      .join('\n');
    return `User-agent: *\n${refused}\n\nSitemap: ${this.config.publicOrigin}/sitemap.xml\n`;
  }

  /** The index of the sitemaps: one of the pages, and those of open tenders with at most 50,000 addresses each. */
  @Get('sitemap.xml')
  @Header(...XML_HEADER)
  @Header(...ONE_HOUR_CACHE)
  @ApiProduces('application/xml')
  @ApiOkResponse({ schema: { type: 'string' } })
  async sitemapIndex(): Promise<string> {
    const files = await this.tenders.sitemapFiles();
    const names = ['pages', ...Array.from({ length: files }, (_, index) => `tenders-${index + 1}`)];
    const entries = names.map(
      (name) => `<sitemap><loc>${this.config.publicOrigin}/sitemaps/${name}.xml</loc></sitemap>`,
    );
    return `${XML_DECLARATION}<sitemapindex ${NAMESPACE}>\n${entries.join('\n')}\n</sitemapindex>\n`;
  }

  @Get('sitemaps/:name')
  @ApiProduces('application/xml')
  @ApiOkResponse({ schema: { type: 'string' } })
  async sitemap(@Param('name') name: string, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const number = /^tenders-([1-9]\d{0,3})\.xml$/.exec(name)?.[1];
    const entries =
      name === 'pages.xml'
        ? mappedPaths(Boolean(this.config.freePlan)).map((path) => ({ path, changed: null }))
        : number && (await this.tenders.sitemap(Number(number)));
    if (!entries || entries.length === 0) throw new AppError('NOT_FOUND', forPrograms('There is no such map'));
    reply.headers({ [XML_HEADER[0]]: XML_HEADER[1], [ONE_HOUR_CACHE[0]]: ONE_HOUR_CACHE[1] });
    const { publicOrigin } = this.config;
    const lines = entries.flatMap(({ path, changed }) => {
      const page = `${publicOrigin}${path}`;
      const facts = `${changed ? `<lastmod>${changed}</lastmod>` : ''}${alternates(page, publicOrigin, 'xhtml:link').join('')}`;
      return languages().map(
        (language) => `<url><loc>${escapeUTF8(addressIn(language, page, publicOrigin))}</loc>${facts}</url>`,
      );
    });
    return `${XML_DECLARATION}<urlset ${NAMESPACE} ${LINK_NAMESPACE}>\n${lines.join('\n')}\n</urlset>\n`;
  }
}
