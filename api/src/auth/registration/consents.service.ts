import { createHmac } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Config } from '../../base/config.ts';
import { CLOCK, CONFIG } from '../../base/injection-tokens.ts';
import { ConsentEntity } from './consent.entity.ts';

/** A consent, and the network address it came from. */
export interface Consent {
  purpose: ConsentEntity['purpose'];
  termsVersion: string;
  address: string;
}

/** The consent log that the DPDP Act requires: one row per purpose. */
@Injectable()
export class ConsentsService {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** Records a consent of now in the transaction of `manager`. */
  async record(manager: EntityManager, userId: string, { purpose, termsVersion, address }: Consent): Promise<void> {
    // The label separates this use of the key from that for codes.
    const addressHash = createHmac('sha256', this.config.otpPepper).update(`consent ${address}`).digest();
    await manager
      .getRepository(ConsentEntity)
      .insert({ userId, purpose, termsVersion, addressHash, givenAt: this.now() });
  }
}
