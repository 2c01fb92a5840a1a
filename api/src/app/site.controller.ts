import { Controller, Get, Header, Inject } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { SEARCH_VERSION } from '@nivida/contract/search/search-version';
import { SiteSettings } from '@nivida/contract/site/site';
import type { Config } from '../base/config.ts';
import { CONFIG } from '../base/injection-tokens.ts';
import { PaymentGateway } from '../payments/payment-gateway.port.ts';
import { SiteNoticesService } from '../site-status/site-notices.service.ts';
import { SupportService } from '../support/support.service.ts';

@Controller('api')
export class SiteController {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly gateway: PaymentGateway,
    private readonly notices: SiteNoticesService,
    private readonly support: SupportService,
  ) {}

  /** Settings of the operator that pages show, and the notice of this instant. */
  @Get('site')
  @Header('Cache-Control', 'public, max-age=60')
  @ApiOkResponse({ standardSchema: SiteSettings })
  async answer(): Promise<SiteSettings> {
    const notice = await this.notices.current();
    const answerHours = await this.support.answerHours();
    return { ...this.site(), answerHours, ...(notice && { notice }) };
  }

  /** The settings that every page has embedded, without what is measured. */
  site(): SiteSettings {
    const { config } = this;
    return {
      supportEmail: config.supportEmail ?? null,
      privacyEmail: config.privacyEmail ?? null,
      dpoEmail: config.dpoEmail ?? null,
      socialUrl: config.socialUrl ?? null,
      legalName: config.legalName ?? null,
      legalAddress: config.legalAddress ?? null,
      supportPhone: config.supportPhone ?? null,
      grievanceName: config.grievanceName ?? null,
      grievanceEmail: config.grievanceEmail ?? null,
      gstin: config.gstin ?? null,
      googleClientId: config.googleClientId ?? null,
      payments: this.gateway.mode,
      freePlan: config.freePlan ?? null,
      answerHours: null,
      searchVersion: SEARCH_VERSION,
    };
  }
}
