import { Inject, Injectable } from '@nestjs/common';
import { normalUnit } from '@nivida/contract/documents/units';
import { findRegion } from '@nivida/contract/regions/regions';
import { DataSource } from 'typeorm';
import { type OperatorAct, recordAct } from '../../audit/record-act.ts';
import { CLOCK } from '../../base/injection-tokens.ts';
import { OperatorError } from '../../base/operator-error.ts';
import {
  DELETE_SCHEDULE,
  DELETE_SCHEDULE_BY_ID,
  INSERT_RATE_ITEMS,
  INSERT_SCHEDULE,
  LIST_SCHEDULES,
} from './rates.sql.ts';
import type { RateFile } from './read-rate-file.ts';

/** The schedule of an import. `from`: the Indian day from which its rates hold, YYYY-MM-DD. */
export interface NewSchedule {
  name: string;
  state: string;
  from: string | null;
}

/** A stored schedule. Instants in UTC. */
export interface StoredSchedule extends NewSchedule {
  id: string;
  items: number;
  importedAt: Date;
}

const MAX_NAME_CHARACTERS = 120;

/** Schedules of rates that operators import. */
@Injectable()
export class RateSchedulesService {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** The state's name and the schedule's name as they are stored. Throws OperatorError. */
  check({ name, state, from }: NewSchedule): NewSchedule {
    const region = findRegion(state);
    if (!region) throw new OperatorError('--state must be a state of India');
    const trimmed = name.trim().replace(/\s+/g, ' ');
    if (trimmed === '' || trimmed.length > MAX_NAME_CHARACTERS)
      throw new OperatorError(`--name must have 1 to ${MAX_NAME_CHARACTERS} characters`);
    return { name: trimmed, state: region.state.name, from };
  }

  /** Stores the items in place of an earlier schedule of the same state and name. Throws OperatorError. */
  async import(
    asked: NewSchedule,
    { items }: Pick<RateFile, 'items'>,
    act: OperatorAct,
  ): Promise<{ replaced: boolean }> {
    const { name, state, from } = this.check(asked);
    const rows = items.map(({ code, text, unit, rate }, at) => {
      return { no: at + 1, code, description: text, unit, normal_unit: normalUnit(unit), rate };
    });
    return this.dataSource.transaction(async (manager) => {
      const [, removed]: [unknown, number] = await manager.query(DELETE_SCHEDULE, [state, name]);
      const [{ id }] = await manager.query(INSERT_SCHEDULE, [state, name, from, this.now()]);
      await manager.query(INSERT_RATE_ITEMS, [id, JSON.stringify(rows)]);
      const detail = { name, state, items: items.length };
      await recordAct(manager, act, { action: 'rates.imported', subject: id, detail }, this.now());
      return { replaced: removed > 0 };
    });
  }

  list(): Promise<StoredSchedule[]> {
    return this.dataSource.query(LIST_SCHEDULES);
  }

  /** Removes the schedule with its items. Throws OperatorError for an unknown id. */
  async remove(id: string, act: OperatorAct): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const [[removed]] = /^\d{1,18}$/.test(id) ? await manager.query(DELETE_SCHEDULE_BY_ID, [id]) : [[]];
      if (!removed) throw new OperatorError(`there is no schedule ${id}; "rates list" shows them`);
      await recordAct(manager, act, { action: 'rates.removed', subject: id, detail: removed }, this.now());
    });
  }
}
