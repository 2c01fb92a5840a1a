import { Body, Controller, Header, HttpCode, Inject, Post, Req } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { ForgotPassword, ResetPassword, Said } from '@nivida/contract/auth';
import type { FastifyRequest } from 'fastify';
import type { InferOutput } from 'valibot';
import { ResetService } from './reset.service.ts';

const PRIVATE = ['Cache-Control', 'no-store'] as const;

@Controller('api/auth')
export class ResetController {
  constructor(@Inject(ResetService) private readonly resets: ResetService) {}

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
    @Body({ schema: ResetPassword }) { token, newPassword }: InferOutput<typeof ResetPassword>,
    @Req() { id }: FastifyRequest,
  ): Promise<Said> {
    await this.resets.reset(token, newPassword, id);
    return { message: 'Your password is changed. Please sign in.' };
  }
}
