import { Inject, Injectable } from '@nestjs/common';
import type { PartState, SiteStatusResponse, StatusPart } from '@nivida/contract/site/status';
import { HOUR_MS } from '@nivida/contract/time';
import type { Pool } from 'pg';
import { CLOCK, READ_POOL } from '../base/injection-tokens.ts';
import { TtlCache } from '../base/ttl-cache.ts';
import { PaymentGateway } from '../payments/payment-gateway.port.ts';
import { IncidentsService } from './incidents.service.ts';
import { HAS_MAIL_QUEUE, LATE_MAILS, PORTALS_READ, STATUS_FACTS } from './site-status.sql.ts';

/** Many visitors look at the page during an incident. */
const CACHE_MS = 5_000;
/** The page must answer while the database hangs. */
const MAX_WAIT_MS = 2_000;
/** Portals are read daily. */
const MAX_PORTAL_AGE_MS = 36 * HOUR_MS;

interface StatusFacts {
  areAlertsLate: boolean;
  arePacksLate: boolean;
  arePaymentsLate: boolean;
}

/** The state of the service, from what its jobs and queues record. It has no figures that help an attacker. */
@Injectable()
export class SiteStatusService {
  private readonly answers = new TtlCache<SiteStatusResponse>(CACHE_MS);

  constructor(
    @Inject(READ_POOL) private readonly pool: Pool,
    private readonly incidents: IncidentsService,
    private readonly gateway: PaymentGateway,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** Never throws: without a database only that is known. */
  read(): Promise<SiteStatusResponse> {
    return this.answers.get('', this.now(), () => this.check());
  }

  private async check(): Promise<SiteStatusResponse> {
    const at = this.now();
    try {
      return await withLimit(this.ask(at));
    } catch {
      return { at: at.toISOString(), parts: this.parts('down', () => 'unknown'), portals: [], incidents: null };
    }
  }

  private async ask(at: Date): Promise<SiteStatusResponse> {
    const [facts] = (await this.pool.query<StatusFacts>(STATUS_FACTS, [at])).rows;
    const { rows: portals } = await this.pool.query<{ portal: string; readAt: Date }>(PORTALS_READ);
    const isMailLate = await this.isMailLate();
    const newest = portals[0]?.readAt;
    const isLate: Partial<Record<StatusPart, boolean | undefined>> = {
      tenders: newest && at.getTime() - newest.getTime() > MAX_PORTAL_AGE_MS,
      alerts: facts?.areAlertsLate,
      mail: isMailLate,
      packs: facts?.arePacksLate,
      payments: facts?.arePaymentsLate,
    };
    return {
      at: at.toISOString(),
      parts: this.parts('ok', (part) => {
        const late = isLate[part];
        return late === undefined ? 'unknown' : late ? 'delayed' : 'ok';
      }),
      portals: portals.map(({ portal, readAt }) => ({ portal, read_at: readAt.toISOString() })),
      incidents: await this.incidents.list(),
    };
  }

  private parts(database: PartState, stateOf: (part: StatusPart) => PartState): SiteStatusResponse['parts'] {
    const others: StatusPart[] = ['tenders', 'alerts', 'mail', 'packs'];
    if (this.gateway.mode !== 'none') others.push('payments');
    return [{ part: 'database', state: database }, ...others.map((part) => ({ part, state: stateOf(part) }))];
  }

  private async isMailLate(): Promise<boolean> {
    const { rows } = await this.pool.query<{ exists: boolean }>(HAS_MAIL_QUEUE);
    if (!rows[0]?.exists) return false;
    const found = await this.pool.query<{ late: boolean }>(LATE_MAILS);
    return found.rows[0]?.late ?? false;
  }
}

function withLimit<T>(work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('The database did not answer in time')), MAX_WAIT_MS);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}
