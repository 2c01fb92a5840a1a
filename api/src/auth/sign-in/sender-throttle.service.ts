import { Injectable } from '@nestjs/common';
import type { AppError } from '../../base/app-error.ts';
import { isAddressRefusal, RateLimitsService } from '../../http/limits/rate-limits.service.ts';
import { type RateLimitWindow, windowsOf } from '../../http/limits/rate-limits.ts';
import type { RequestOrigin } from '../../http/security/client-address.ts';
import { maskAddress, SecurityEventsService } from '../security-events.service.ts';

/** Allows one audit event per lock. The wait shows whether the lock lasts 15 minutes or a day. */
const oneLock = ({ retryAfterSeconds = 0 }: AppError): RateLimitWindow[] =>
  windowsOf('sign-in', 'address')
    .filter(({ perSeconds }) => perSeconds >= retryAfterSeconds)
    .slice(0, 1)
    .map(({ perSeconds }) => ({ max: 1, perSeconds }));

/** Slows down senders of many wrong sign-ins to any accounts. */
@Injectable()
export class SenderThrottleService {
  constructor(
    private readonly limits: RateLimitsService,
    private readonly events: SecurityEventsService,
  ) {}

  /** Counts a failure before the sign-in is verified; `clear` undoes it. TOO_MANY with Retry-After. */
  async count(sender: RequestOrigin): Promise<void> {
    try {
      await this.limits.consume('sign-in', { sender });
    } catch (error) {
      const { address } = sender;
      // One event per lock, not per refused request.
      if (
        address &&
        isAddressRefusal(error) &&
        (await this.limits.count('sign-in-lock', address.key, oneLock(error))) === 0
      )
        await this.events.record({ action: 'sign-in.address-locked', subject: maskAddress(sender.ip) }, sender);
      throw error;
    }
  }

  /** Undoes one `count` after a successful sign-in. */
  async clear(sender: RequestOrigin): Promise<void> {
    await this.limits.release('sign-in', { sender });
  }
}
