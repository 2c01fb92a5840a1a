import { Body, Controller, Header, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { OtpCheck, OtpRequest, Said } from '@nivida/contract/auth';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { InferOutput } from 'valibot';
import type { Config } from '../config.ts';
import { clientAddress } from '../http/client-address.ts';
import { CONFIG } from '../http/tokens.ts';
import { OTP_COOKIE, OtpService } from './otp.service.ts';

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
    const context = await this.otp.generate(email, address, request.cookies[OTP_COOKIE]);
    reply.setCookie(...this.otp.cookie(context));
    return { message: 'If the address can receive mail, a code has been sent' };
  }

  @Post('verify')
  @HttpCode(200)
  @Header(...PRIVATE)
  @ApiOkResponse({ standardSchema: Said })
  async verify(
    @Body({ schema: OtpCheck }) { email, otp }: InferOutput<typeof OtpCheck>,
    @Req() request: FastifyRequest,
  ): Promise<Said> {
    await this.otp.verify(request.cookies[OTP_COOKIE], email, otp);
    return { message: 'Email verified successfully!' };
  }
}
