import { t } from '@lingui/core/macro';
import { Inject, Injectable } from '@nestjs/common';
import { INCIDENT_DAYS, type Incident, type LanguageTexts } from '@nivida/contract/site/status';
import { DAY_MS } from '@nivida/contract/time';
import { DataSource, type EntityManager, In, IsNull, MoreThan } from 'typeorm';
import { type OperatorAct, recordAct } from '../audit/record-act.ts';
import { AppError } from '../base/app-error.ts';
import { CLOCK } from '../base/injection-tokens.ts';
import { IncidentEntity, IncidentUpdateEntity } from './incident.entity.ts';

/** What happened to an incident. */
const ACTIONS = { open: 'incident.opened', update: 'incident.updated', close: 'incident.closed' } as const;

/** Incidents of the service, with what the operator says of them. */
@Injectable()
export class IncidentsService {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** Incidents of the last 90 days and those that last, newest first. */
  async list(): Promise<Incident[]> {
    const since = MoreThan(new Date(this.now().getTime() - INCIDENT_DAYS * DAY_MS));
    const incidents = await this.dataSource
      .getRepository(IncidentEntity)
      .find({ where: [{ endedAt: IsNull() }, { endedAt: since }], order: { startedAt: 'DESC', id: 'DESC' } });
    const updates = await this.dataSource
      .getRepository(IncidentUpdateEntity)
      .find({ where: { incidentId: In(incidents.map(({ id }) => id)) }, order: { id: 'ASC' } });
    const byIncident = Map.groupBy(updates, ({ incidentId }) => incidentId);
    return incidents.map(({ id, startedAt, endedAt }) => ({
      id,
      started_at: startedAt.toISOString(),
      ended_at: endedAt?.toISOString() ?? null,
      updates: (byIncident.get(id) ?? []).map(({ at, texts }) => ({ at: at.toISOString(), texts })),
    }));
  }

  /** Opens an incident that began at `startedAt` and returns its id. INVALID for a start in the future. */
  async open(texts: LanguageTexts, act: OperatorAct, startedAt = this.now()): Promise<number> {
    if (startedAt > this.now()) throw new AppError('INVALID', () => t`An incident cannot begin in the future`);
    return this.dataSource.transaction(async (manager) => {
      const { id } = await manager.getRepository(IncidentEntity).save({ startedAt, endedAt: null });
      await this.say(manager, id, 'open', texts, act);
      return id;
    });
  }

  /** Adds what is known of an incident that lasts. NOT_FOUND, CONFLICT as for `close`. */
  update(id: number, texts: LanguageTexts, act: OperatorAct): Promise<void> {
    return this.change(id, (manager) => this.say(manager, id, 'update', texts, act));
  }

  /** Ends an incident now, with a last word. NOT_FOUND; CONFLICT for one that has ended. */
  close(id: number, texts: LanguageTexts, act: OperatorAct): Promise<void> {
    return this.change(id, async (manager) => {
      await manager.getRepository(IncidentEntity).update({ id }, { endedAt: this.now() });
      await this.say(manager, id, 'close', texts, act);
    });
  }

  private change(id: number, work: (manager: EntityManager) => Promise<void>): Promise<void> {
    return this.dataSource.transaction(async (manager) => {
      const incident = await manager
        .getRepository(IncidentEntity)
        .findOne({ where: { id }, lock: { mode: 'pessimistic_write' } });
      if (!incident) throw new AppError('NOT_FOUND', () => t`There is no such incident`);
      if (incident.endedAt) throw new AppError('CONFLICT', () => t`This incident has ended already`);
      await work(manager);
    });
  }

  private async say(
    manager: EntityManager,
    incidentId: number,
    what: keyof typeof ACTIONS,
    texts: LanguageTexts,
    act: OperatorAct,
  ): Promise<void> {
    const at = this.now();
    await manager.getRepository(IncidentUpdateEntity).insert({ incidentId, texts, at });
    const change = { action: ACTIONS[what], subject: String(incidentId), detail: { text: texts.en } };
    await recordAct(manager, act, change, at);
  }
}
