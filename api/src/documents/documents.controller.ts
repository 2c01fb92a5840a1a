import { t } from '@lingui/core/macro';
import { Body, Controller, Get, HttpCode, Inject, Param, Post, Query, Req, UseGuards } from '@nestjs/common';
import { ApiAcceptedResponse, ApiCreatedResponse, ApiOkResponse } from '@nestjs/swagger';
import { RateCandidates } from '@nivida/contract/documents/rate-candidates';
import { ReadingVersions, TenderReading } from '@nivida/contract/documents/tender-reading';
import { ListedTendersQuery } from '@nivida/contract/filter/tender-query';
import { inLanguage } from '@nivida/contract/i18n';
import type { Language } from '@nivida/contract/languages';
import {
  AcceptedResponse,
  DocumentLinkResponse,
  DocumentOfferResponse,
  DocumentRequestBody,
  PurchasedPackagesResponse,
} from '@nivida/contract/orders/documents';
import type { FastifyRequest } from 'fastify';
import { AuthGuard, CurrentUser } from '../auth/auth.guard.ts';
import { SessionsService, type SignedInUser } from '../auth/sessions/sessions.service.ts';
import type { Config } from '../base/config.ts';
import { CONFIG } from '../base/injection-tokens.ts';
import { accountLimit } from '../http/limits/account-limit.guard.ts';
import { RequestLanguage } from '../http/routing/request-language.ts';
import { senderOf } from '../http/security/client-address.ts';
import { PrivateNoStore } from '../http/security/security-headers.ts';
import { DocumentRequestsService } from './document-requests.service.ts';
import { DocumentsService } from './documents.service.ts';
import { RateCandidatesService } from './rates/rate-candidates.service.ts';
import { TenderReadingService } from './reading/tender-reading.service.ts';

const LinkLimitGuard = accountLimit('document-link');

@Controller('api')
export class DocumentsController {
  constructor(
    private readonly documents: DocumentsService,
    private readonly requests: DocumentRequestsService,
    private readonly readings: TenderReadingService,
    private readonly rates: RateCandidatesService,
    private readonly sessions: SessionsService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Get('tenders/:id/documents')
  @PrivateNoStore()
  @ApiOkResponse({ standardSchema: DocumentOfferResponse })
  async offer(@Param('id') id: string, @Req() request: FastifyRequest): Promise<DocumentOfferResponse> {
    return this.documents.readOffer(id, await this.userOf(request));
  }

  @Get('tenders/readings')
  @PrivateNoStore()
  @ApiOkResponse({ standardSchema: ReadingVersions })
  readingVersions(@Query({ schema: ListedTendersQuery }) { ids }: ListedTendersQuery): Promise<ReadingVersions> {
    return this.readings.versions(ids);
  }

  @Get('tenders/:id/reading')
  @PrivateNoStore()
  @ApiOkResponse({ standardSchema: TenderReading })
  async reading(@Param('id') id: string, @Req() request: FastifyRequest): Promise<TenderReading> {
    return this.readings.read(id, await this.userOf(request));
  }

  @Get('tenders/:id/rate-candidates')
  @PrivateNoStore()
  @ApiOkResponse({ standardSchema: RateCandidates })
  async rateCandidates(@Param('id') id: string, @Req() request: FastifyRequest): Promise<RateCandidates> {
    return this.rates.read(id, await this.userOf(request));
  }

  @Post('tenders/:id/documents')
  @UseGuards(AuthGuard, LinkLimitGuard)
  @PrivateNoStore()
  @ApiCreatedResponse({ standardSchema: DocumentLinkResponse })
  link(@Param('id') id: string, @CurrentUser() user: SignedInUser): Promise<DocumentLinkResponse> {
    return this.documents.createLink(id, user.id);
  }

  @Post('tenders/:id/document-requests')
  @HttpCode(202)
  @PrivateNoStore()
  @ApiAcceptedResponse({ standardSchema: AcceptedResponse })
  async request(
    @Param('id') id: string,
    @Body({ schema: DocumentRequestBody }) { email }: DocumentRequestBody,
    @Req() request: FastifyRequest,
    @RequestLanguage() language: Language,
  ): Promise<AcceptedResponse> {
    await this.requests.add(id, {
      userId: await this.userOf(request),
      email: email ?? null,
      language,
      sender: senderOf(request, this.config.production),
    });
    const text = () => t`We have your request. You get a mail as soon as the documents are available.`;
    return { message: inLanguage(language, text) };
  }

  @Get('documents')
  @UseGuards(AuthGuard)
  @PrivateNoStore()
  @ApiOkResponse({ standardSchema: PurchasedPackagesResponse })
  async library(@CurrentUser() { id }: SignedInUser): Promise<PurchasedPackagesResponse> {
    return { packages: await this.documents.readLibrary(id) };
  }

  @Post('orders/:id/documents')
  @PrivateNoStore()
  @ApiCreatedResponse({ standardSchema: DocumentLinkResponse })
  async linkOfOrder(@Param('id') id: string, @Req() request: FastifyRequest): Promise<DocumentLinkResponse> {
    return this.documents.createOrderLink(id, await this.userOf(request));
  }

  @Post('orders/:id/resend')
  @HttpCode(202)
  @PrivateNoStore()
  @ApiAcceptedResponse({ standardSchema: AcceptedResponse })
  async resend(@Param('id') id: string, @RequestLanguage() language: Language): Promise<AcceptedResponse> {
    await this.documents.resendLink(id);
    return {
      message: inLanguage(
        language,
        () => t`If this order holds documents, a new link is on its way to the e-mail address it was bought with.`,
      ),
    };
  }

  /** The id of the signed-in user; null for a visitor. UNAUTHENTICATED for an ended session. */
  private async userOf(request: FastifyRequest): Promise<string | null> {
    const { authorization } = request.headers;
    if (authorization) request.signedInUser = await this.sessions.authenticate(authorization);
    return request.signedInUser?.id ?? null;
  }
}
