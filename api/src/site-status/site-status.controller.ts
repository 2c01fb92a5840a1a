import { Controller, Get, Header } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { SiteStatusResponse } from '@nivida/contract/site/status';
import { SiteStatusService } from './site-status.service.ts';

@Controller('api')
export class SiteStatusController {
  constructor(private readonly status: SiteStatusService) {}

  /** The state of the service and its incidents of 90 days. Answers also while the database is down. */
  @Get('site-status')
  @Header('Cache-Control', 'no-cache')
  @ApiOkResponse({ standardSchema: SiteStatusResponse })
  read(): Promise<SiteStatusResponse> {
    return this.status.read();
  }
}
