import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { MAX_SEND_TOKENS } from '@nivida/contract/sync/outbox';
import { DataSource } from 'typeorm';
import { CLOCK } from '../../base/injection-tokens.ts';
import { sha256Hex } from '../../http/security/cookies.ts';
import { CONSUME_TOKEN, DELETE_TOKENS, FIND_TOKEN, INSERT_TOKENS, LOCK_SESSION } from './send-tokens.sql.ts';
import type { SignedInUser } from './sessions.service.ts';

/** One-time tokens of sessions, for devices that send changes while their app is closed. Only digests are stored; SQL for the locks. */
@Injectable()
export class SendTokensService {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** Replaces the tokens of a session by new ones. */
  async issue({ sessionId }: SignedInUser): Promise<string[]> {
    const tokens = Array.from({ length: MAX_SEND_TOKENS }, () => randomBytes(32).toString('base64url'));
    await this.dataSource.transaction(async (manager) => {
      // The lock serialises tabs that request tokens at once.
      await manager.query(LOCK_SESSION, [sessionId]);
      await manager.query(DELETE_TOKENS, [sessionId]);
      await manager.query(INSERT_TOKENS, [sessionId, tokens.map(sha256Hex)]);
    });
    return tokens;
  }

  /** Deletes a token and returns the user of its session; undefined for a used or unknown token, or an ended session. */
  async consume(token: string): Promise<SignedInUser | undefined> {
    const [rows]: [{ id: string; sessionId: string; signedInAt: Date }[], number] = await this.dataSource.query(
      CONSUME_TOKEN,
      [sha256Hex(token), this.now()],
    );
    return rows[0];
  }

  /** The user of a token's session, like `consume`; the token stays. */
  async find(token: string): Promise<SignedInUser | undefined> {
    const rows: SignedInUser[] = await this.dataSource.query(FIND_TOKEN, [sha256Hex(token), this.now()]);
    return rows[0];
  }
}
