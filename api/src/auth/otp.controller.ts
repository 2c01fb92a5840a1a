import { Body, Controller, Header, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { OtpCheck, OtpRequest, Said } from '@nivida/contract/auth';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { InferOutput } from 'valibot';
import type { Config } from '../config.ts';
import { clientAddress, requestOrigin } from '../http/client-address.ts';
import { CONFIG } from '../http/tokens.ts';
import { OtpService } from './otp.service.ts';

const PRIVATE = ['Cache-Control', 'no-store'] as const;

@Controller('api/auth/otp')
export class OtpController {
  constructor(
    @Inject(OtpService) private readonly otp: OtpService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Post('generate')
  @HttpCode(200)
  @Header(...PRIVATE)
  @ApiOkResponse({ standardSchema: Said })
  async generate(
    @Body({ schema: OtpRequest }) { email }: InferOutput<typeof OtpRequest>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Said> {
    const address = clientAddress(request, this.config.production);
    const context = await this.otp.generate(email, address, this.otp.contextOf(request.cookies));
    reply.setCookie(...this.otp.cookie(context));
    return { message: 'If the address can receive mail, a code has been sent' };
  }

  @Post('verify')
  @HttpCode(200)
  @Header(...PRIVATE)
  @ApiOkResponse({ standardSchema: Said })
  async verify(
    @Body({ schema: OtpCheck }) body: InferOutput<typeof OtpCheck>,
    @Req() request: FastifyRequest,
  ): Promise<Said> {
    const origin = requestOrigin(request, this.config.production);
    await this.otp.verify(this.otp.contextOf(request.cookies), body, origin);
    return { message: 'Email verified successfully!' };
  }
}
