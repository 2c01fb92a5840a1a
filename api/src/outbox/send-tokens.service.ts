import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { MAX_SEND_TOKENS } from '@nivida/contract/sync/outbox';
import { DataSource } from 'typeorm';
import type { SignedInUser } from '../auth/sessions/sessions.service.ts';
import { CLOCK } from '../http/injection-tokens.ts';
import { sha256Hex } from '../http/security/cookies.ts';

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
      await manager.query('SELECT 1 FROM session WHERE id = $1 FOR UPDATE', [sessionId]);
      await manager.query('DELETE FROM send_token WHERE session_id = $1', [sessionId]);
      await manager.query('INSERT INTO send_token (digest, session_id) SELECT unnest($2::text[]), $1', [
        sessionId,
        tokens.map(sha256Hex),
      ]);
    });
    return tokens;
  }

  /** Deletes a token and returns the user of its session; undefined for a used or unknown token, or an ended session. */
  async consume(token: string): Promise<SignedInUser | undefined> {
    const [rows]: [{ id: string; sessionId: string; signedInAt: Date }[], number] = await this.dataSource.query(
      `DELETE FROM send_token t USING session s, account a
       WHERE t.digest = $1 AND s.id = t.session_id AND s.revoked_at IS NULL AND s.expires_at > $2
         AND a.id = s.user_id AND a.deleted_at IS NULL
       RETURNING a.id, s.id AS "sessionId", s.created_at AS "signedInAt"`,
      [sha256Hex(token), this.now()],
    );
    return rows[0];
  }
}
