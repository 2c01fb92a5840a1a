import { Controller, Get, Header, Inject, Param, Req, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiProduces } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { SessionsService } from '../auth/sessions.service.ts';
import type { Config } from '../config.ts';
import { AppError } from '../http/app-error.ts';
import { clientAddress } from '../http/client-address.ts';
import { LimitsService } from '../http/limits.service.ts';
import { CONFIG } from '../http/tokens.ts';
import { InvoicesService } from './invoices.service.ts';
import { printPaper } from './print.ts';

const PDF = { schema: { type: 'string', format: 'binary' } } as const;

/**
 * The papers of an order as PDF. An order of an account is shown to that account alone; the id of an order without one
 * is 16 random bytes that only its buyer was given, and counts as the key to it.
 */
@Controller('api/orders/:id')
export class InvoicesController {
  constructor(
    @Inject(InvoicesService) private readonly invoices: InvoicesService,
    @Inject(SessionsService) private readonly sessions: SessionsService,
    @Inject(LimitsService) private readonly limits: LimitsService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Get('receipt.pdf')
  @Header('Cache-Control', 'private, no-store')
  @ApiProduces('application/pdf')
  @ApiOkResponse(PDF)
  receipt(@Param('id') id: string, @Req() request: FastifyRequest): Promise<StreamableFile> {
    return this.print(id, request, false);
  }

  @Get('credit-note.pdf')
  @Header('Cache-Control', 'private, no-store')
  @ApiProduces('application/pdf')
  @ApiOkResponse(PDF)
  creditNote(@Param('id') id: string, @Req() request: FastifyRequest): Promise<StreamableFile> {
    return this.print(id, request, true);
  }

  private async print(id: string, request: FastifyRequest, isCredit: boolean): Promise<StreamableFile> {
    const { authorization } = request.headers;
    const reader = authorization ? (await this.sessions.recognise(authorization)).id : null;
    const { userId, papers } = await this.invoices.find(id);
    const paper = papers.find(({ kind }) => (kind === 'credit_note') === isCredit);
    // One answer for every reason.
    if (!paper || (userId !== null && userId !== reader)) {
      if (papers.length === 0) await this.limits.takeUnknown(clientAddress(request, this.config.production));
      throw new AppError('NOT_FOUND', 'Receipt not found');
    }
    const file = await printPaper(paper);
    return new StreamableFile(file, {
      type: 'application/pdf',
      disposition: `inline; filename="${paper.number.replaceAll('/', '-')}.pdf"`,
      length: file.length,
    });
  }
}
