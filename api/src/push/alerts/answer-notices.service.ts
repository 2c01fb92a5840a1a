import { Inject, Injectable } from '@nestjs/common';
import { indianDay } from '@nivida/contract/format';
import { dayText } from '@nivida/contract/time';
import type { EntityManager } from 'typeorm';
import { CLOCK } from '../../base/injection-tokens.ts';
import type { AnswerDetail } from '../sending/delivery.ts';
import { INSERT_ANSWER_NOTICE } from './alerts.sql.ts';

/** After these days a push about an answer is too late. */
const USEFUL_DAYS = 7;

/** Notifies users of answers of support. */
@Injectable()
export class AnswerNoticesService {
  constructor(@Inject(CLOCK) private readonly now: () => Date) {}

  /** Stores the notice of an answer and queues its pushes, in the transaction of `manager`. The next run of `send-pushes` sends them. */
  async notify(manager: EntityManager, userId: string, answer: Omit<AnswerDetail, 'validUntil'>): Promise<void> {
    const now = this.now();
    const detail: AnswerDetail = { ...answer, validUntil: dayText(indianDay(now) + USEFUL_DAYS) };
    await manager.query(INSERT_ANSWER_NOTICE, [userId, now, JSON.stringify(detail)]);
  }
}
