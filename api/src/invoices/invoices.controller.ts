import { t } from '@lingui/core/macro';
import { Controller, Get, Inject, Param, Req, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiProduces } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { SessionsService } from '../auth/sessions/sessions.service.ts';
import { AppError } from '../base/app-error.ts';
import type { Config } from '../base/config.ts';
import { CONFIG } from '../base/injection-tokens.ts';
import { RateLimitsService } from '../http/limits/rate-limits.service.ts';
import { senderOf } from '../http/security/client-address.ts';
import { PrivateNoStore } from '../http/security/security-headers.ts';
import { InvoicesService } from './invoices.service.ts';

const PDF_RESPONSE = { schema: { type: 'string', format: 'binary' } } as const;

/**
 * The invoices of an order as PDF. An account's order is shown to that account only. The id of a guest's order is 16
 * random bytes and serves as its key.
 */
@Controller('api/orders/:id')
export class InvoicesController {
  constructor(
    private readonly invoices: InvoicesService,
    private readonly sessions: SessionsService,
    private readonly limits: RateLimitsService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Get('receipt.pdf')
  @PrivateNoStore()
  @ApiProduces('application/pdf')
  @ApiOkResponse(PDF_RESPONSE)
  receipt(@Param('id') id: string, @Req() request: FastifyRequest): Promise<StreamableFile> {
    return this.print(id, request, false);
  }

  @Get('credit-note.pdf')
  @PrivateNoStore()
  @ApiProduces('application/pdf')
  @ApiOkResponse(PDF_RESPONSE)
  creditNote(@Param('id') id: string, @Req() request: FastifyRequest): Promise<StreamableFile> {
    return this.print(id, request, true);
  }

  private async print(id: string, request: FastifyRequest, isCredit: boolean): Promise<StreamableFile> {
    const { authorization } = request.headers;
    if (authorization) request.signedInUser = await this.sessions.authenticate(authorization);
    const reader = request.signedInUser?.id ?? null;
    const { userId, invoices } = await this.invoices.findByOrder(id);
    const invoice = invoices.find(({ kind }) => (kind === 'credit_note') === isCredit);
    // All reasons get the same answer, so that ids cannot be probed.
    if (!invoice || (userId !== null && userId !== reader)) {
      if (invoices.length === 0) await this.limits.consumeUnknownId(senderOf(request, this.config.production));
      throw new AppError('NOT_FOUND', () => t`Receipt not found`);
    }
    // Loaded here because its library would slow every start.
    const { renderInvoicePdf } = await import('./invoice-pdf.ts');
    const file = await renderInvoicePdf(invoice);
    return new StreamableFile(file, {
      type: 'application/pdf',
      disposition: `inline; filename="${invoice.number.replaceAll('/', '-')}.pdf"`,
      length: file.length,
    });
  }
}
