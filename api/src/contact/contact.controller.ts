import { Body, Controller, Header, HttpCode, Inject, Post, Req } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { ContactAnswer, ContactMessage } from '@nivida/contract/contact';
import type { FastifyRequest } from 'fastify';
import type * as v from 'valibot';
import type { Config } from '../config.ts';
import { clientAddress } from '../http/client-address.ts';
import { CONFIG } from '../http/tokens.ts';
import { ContactService } from './contact.service.ts';

@Controller('api')
export class ContactController {
  constructor(
    @Inject(ContactService) private readonly contact: ContactService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Post('contact')
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @ApiOkResponse({ standardSchema: ContactAnswer })
  async send(
    @Body({ schema: ContactMessage }) message: ContactMessage,
    @Req() request: FastifyRequest,
  ): Promise<v.InferOutput<typeof ContactAnswer>> {
    await this.contact.receive(message, clientAddress(request, this.config.production));
    return { success: true, message: "Thank you for your message! We'll get back to you soon." };
  }
}
