import { Body, Controller, Get, Header, Headers, HttpCode, Inject, Param, Post, Req, UseGuards } from '@nestjs/common';
import { ApiAcceptedResponse, ApiCreatedResponse, ApiOkResponse } from '@nestjs/swagger';
import { Accepted, DocumentLink, DocumentOffer, DocumentRequest, OwnedPackages } from '@nivida/contract/document';
import type { FastifyRequest } from 'fastify';
import { SessionsService, type SignedInUser } from '../auth/sessions.service.ts';
import type { Config } from '../config.ts';
import { accountLimit } from '../http/account-limit.guard.ts';
import { AuthGuard } from '../http/auth.guard.ts';
import { clientAddress } from '../http/client-address.ts';
import { CurrentUser } from '../http/current-user.ts';
import { CONFIG } from '../http/tokens.ts';
import { DocumentsService } from './documents.service.ts';
import { DocumentRequestsService } from './requests.service.ts';

const PRIVATE = ['Cache-Control', 'private, no-store'] as const;
const LinkLimit = accountLimit('document-link', { most: 600, perSeconds: 3_600 });

@Controller('api')
export class DocumentsController {
  constructor(
    @Inject(DocumentsService) private readonly documents: DocumentsService,
    @Inject(DocumentRequestsService) private readonly requests: DocumentRequestsService,
    @Inject(SessionsService) private readonly sessions: SessionsService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Get('tenders/:id/documents')
  @Header(...PRIVATE)
  @ApiOkResponse({ standardSchema: DocumentOffer })
  async offer(@Param('id') id: string, @Headers('authorization') authorization?: string): Promise<DocumentOffer> {
    const user = authorization ? await this.sessions.recognise(authorization) : null;
    return this.documents.offer(id, user?.id ?? null);
  }

  @Post('tenders/:id/documents')
  @UseGuards(AuthGuard, LinkLimit)
  @Header(...PRIVATE)
  @ApiCreatedResponse({ standardSchema: DocumentLink })
  link(@Param('id') id: string, @CurrentUser() user: SignedInUser): Promise<DocumentLink> {
    return this.documents.link(id, user.id);
  }

  @Post('tenders/:id/document-requests')
  @HttpCode(202)
  @Header(...PRIVATE)
  @ApiAcceptedResponse({ standardSchema: Accepted })
  async request(
    @Param('id') id: string,
    @Body({ schema: DocumentRequest }) { email }: DocumentRequest,
    @Req() request: FastifyRequest,
    @Headers('authorization') authorization?: string,
  ): Promise<Accepted> {
    const user = authorization ? await this.sessions.recognise(authorization) : null;
    const address = clientAddress(request, this.config.production);
    await this.requests.add(id, { userId: user?.id ?? null, email: email ?? null, address });
    return { message: 'We have your request. You get a mail as soon as the documents can be had.' };
  }

  @Get('documents')
  @UseGuards(AuthGuard)
  @Header(...PRIVATE)
  @ApiOkResponse({ standardSchema: OwnedPackages })
  async library(@CurrentUser() { id }: SignedInUser): Promise<OwnedPackages> {
    return { packages: await this.documents.library(id) };
  }

  @Post('orders/:id/documents')
  @Header(...PRIVATE)
  @ApiCreatedResponse({ standardSchema: DocumentLink })
  async linkOfOrder(@Param('id') id: string, @Headers('authorization') authorization?: string): Promise<DocumentLink> {
    const user = authorization ? await this.sessions.recognise(authorization) : null;
    return this.documents.linkOfOrder(id, user?.id ?? null);
  }

  @Post('orders/:id/resend')
  @HttpCode(202)
  @Header(...PRIVATE)
  @ApiAcceptedResponse({ standardSchema: Accepted })
  async resend(@Param('id') id: string): Promise<Accepted> {
    await this.documents.resend(id);
    return {
      message: 'If this order holds documents, a new link is on its way to the e-mail address it was bought with.',
    };
  }
}
