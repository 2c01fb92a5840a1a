import { Controller, Get, Header, Inject } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { nothingHere } from '../base/app-error.ts';
import type { Config } from '../base/config.ts';
import { CONFIG } from '../base/injection-tokens.ts';

/** Digital Asset Links: which Android app may show this site without an address bar and open its links. */
@Controller()
export class AssetLinksController {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  @Get('.well-known/assetlinks.json')
  @Header('Cache-Control', 'public, max-age=3600')
  @ApiOkResponse({ schema: { type: 'array', items: { type: 'object' } } })
  assetLinks(): object[] {
    const { androidApp } = this.config;
    if (!androidApp) throw nothingHere();
    return [
      {
        relation: ['delegate_permission/common.handle_all_urls'],
        target: {
          namespace: 'android_app',
          package_name: androidApp.packageName,
          sha256_cert_fingerprints: androidApp.fingerprints,
        },
      },
    ];
  }
}
