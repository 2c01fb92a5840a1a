import { createHmac } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Config } from '../../config.ts';
import { CLOCK, CONFIG } from '../../http/injection-tokens.ts';
import { ConsentEntity } from './consent.entity.ts';

/** What somebody agreed to, from which network address. */
export interface Consent {
  purpose: ConsentEntity['purpose'];
  termsVersion: string;
  address: string;
}

/** The consent log that the DPDP Act asks for: one row for every purpose agreed to. */
@Injectable()
export class ConsentsService {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** Notes a consent of now in the transaction of `manager`. */
  async record(manager: EntityManager, userId: string, { purpose, termsVersion, address }: Consent): Promise<void> {
    // The label keeps this use of the key apart from that for codes.
    const addressHash = createHmac('sha256', this.config.otpPepper).update(`consent ${address}`).digest();
    await manager
      .getRepository(ConsentEntity)
      .insert({ userId, purpose, termsVersion, addressHash, givenAt: this.now() });
  }
}
