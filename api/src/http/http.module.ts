import { Global, Module } from '@nestjs/common';
import { RateLimitsService } from './limits/rate-limits.service.ts';
import { MetricsController } from './monitoring/metrics.controller.ts';
import { Metrics } from './monitoring/metrics.ts';
import { Readiness } from './monitoring/readiness.ts';

@Global()
@Module({
  controllers: [MetricsController],
  providers: [RateLimitsService, Metrics, Readiness],
  exports: [RateLimitsService, Metrics, Readiness],
})
export class HttpModule {}
