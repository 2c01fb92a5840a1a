import { Inject, Injectable } from '@nestjs/common';
import { officeOf } from '@nivida/contract/awards/office';
import { DataSource, type EntityManager } from 'typeorm';
import { officeId } from '../../awards/award-storage.service.ts';
import { CLOCK } from '../../base/injection-tokens.ts';
import { PaymentGateway } from '../../payments/payment-gateway.port.ts';
import { LOCK_CURSOR, STORE_CURSOR } from './alerts.sql.ts';
import {
  INSERT_OFFICE_RESULT_NOTICES,
  INSERT_OFFICE_TENDER_NOTICES,
  OFFICE_BATCH_SIZE,
  OFFICE_CHANGES,
  READ_CURSOR,
} from './office-alerts.sql.ts';
import { nextDigest } from './reminders.ts';
import { MATCHES_CURSOR_KEY } from './search-alerts.service.ts';

/** Setting that stores the cursor in the history. */
const CURSOR_KEY = 'push offices up to';

interface OfficeChange {
  changeNo: number;
  tenderId: number;
  version: number;
  /** When it was published or its result became known, at most now. */
  at: Date;
  isResult: boolean;
  state: string;
  organisationChain: string[];
  pincode: string | null;
}

/** Creates the notices about new tenders and results of followed offices. */
@Injectable()
export class OfficeAlertsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly gateway: PaymentGateway,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** Any number of processes may run it. Returns the number of notices. */
  async createOfficeNotices(): Promise<number> {
    for (let total = 0; ; ) {
      const batch = await this.dataSource.transaction((manager) => this.readBatch(manager));
      if (!batch) return total;
      total += batch.created;
    }
  }

  private async readBatch(manager: EntityManager): Promise<{ created: number } | undefined> {
    const now = this.now();
    const [{ after }] = await manager.query(LOCK_CURSOR, [CURSOR_KEY, '{}']);
    // A tender that a saved search has found gets no second notice. So only changes that saved searches have read are processed.
    const [{ after: upTo }] = await manager.query(READ_CURSOR, [MATCHES_CURSOR_KEY, '{}']);
    if (upTo <= after) return undefined;
    const changes: OfficeChange[] = await manager.query(OFFICE_CHANGES, [after, upTo, now]);
    const created = await this.insertNotices(manager, changes, now);
    const readUpTo = changes.length < OFFICE_BATCH_SIZE ? upTo : changes.at(-1)?.changeNo;
    await manager.query(STORE_CURSOR, [CURSOR_KEY, readUpTo]);
    return { created };
  }

  private async insertNotices(manager: EntityManager, changes: readonly OfficeChange[], now: Date): Promise<number> {
    const ofOffices = changes.flatMap((change) => {
      const office = officeOf(change);
      return office ? [{ ...change, officeId: officeId(change.state, office.key) }] : [];
    });
    let created = 0;
    for (const isResult of [false, true]) {
      const kind = ofOffices.filter((change) => change.isResult === isResult);
      if (kind.length === 0) continue;
      const [{ count }] = await manager.query(isResult ? INSERT_OFFICE_RESULT_NOTICES : INSERT_OFFICE_TENDER_NOTICES, [
        kind.map(({ tenderId }) => tenderId),
        now,
        kind.map((change) => change.officeId),
        kind.map(({ at }) => at),
        this.gateway.live,
        kind.map(({ at, version }) => (isResult ? version : nextDigest(at))),
      ]);
      created += count;
    }
    return created;
  }
}
