import { Body, Controller, Header, HttpCode, Inject, Post, Req } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { ForgotPassword, ResetPassword, Said } from '@nivida/contract/auth';
import type { FastifyRequest } from 'fastify';
import type { InferOutput } from 'valibot';
import type { Config } from '../config.ts';
import { requestOrigin } from '../http/client-address.ts';
import { CONFIG } from '../http/tokens.ts';
import { ResetService } from './reset.service.ts';

const PRIVATE = ['Cache-Control', 'no-store'] as const;

@Controller('api/auth')
export class ResetController {
  constructor(
    @Inject(ResetService) private readonly resets: ResetService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Post('forgot-password')
  @HttpCode(200)
  @Header(...PRIVATE)
  @ApiOkResponse({ standardSchema: Said })
  async forgot(
    @Body({ schema: ForgotPassword }) { email }: InferOutput<typeof ForgotPassword>,
    @Req() { id }: FastifyRequest,
  ): Promise<Said> {
    await this.resets.ask(email, id);
    return { message: 'If an account uses this address, a link for a new password has been sent to it' };
  }

  @Post('reset-password')
  @HttpCode(200)
  @Header(...PRIVATE)
  @ApiOkResponse({ standardSchema: Said })
  async reset(
    @Body({ schema: ResetPassword }) body: InferOutput<typeof ResetPassword>,
    @Req() request: FastifyRequest,
  ): Promise<Said> {
    await this.resets.reset(body, requestOrigin(request, this.config.production));
    return { message: 'Your password is changed. Please sign in.' };
  }
}
