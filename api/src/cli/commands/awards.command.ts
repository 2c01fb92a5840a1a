/** The `awards` command: hidden names and changes of price rules. */
import { parseArgs } from 'node:util';
import { findRegion } from '@nivida/contract/regions/regions';
import { isDay } from '@nivida/contract/time';
import type { DataSource } from 'typeorm';
import { addRegime, computeAwardStatistics } from '../../awards/award-statistics.job.ts';
import { HIDE_NAME, SHOW_NAME } from '../../awards/awards.sql.ts';
import { nameHash, nameKey } from '../../awards/name-hash.ts';
import { HAS_DEPARTMENT_AWARDS } from '../../awards/statistics.sql.ts';
import { OperatorError } from '../../base/operator-error.ts';
import { takeChangeLock } from '../../database/locks.sql.ts';

/** Runs one `awards` command and returns its output. */
export async function runAwards(args: string[], { dataSource, now }: { dataSource: DataSource; now: Date }) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      state: { type: 'string' },
      department: { type: 'string' },
      from: { type: 'string' },
      rule: { type: 'string' },
      source: { type: 'string' },
    },
  });
  const [action, ...words] = positionals;
  if (action === 'hide-name') return hideName(dataSource, words.join(' '), now);
  if (action === 'show-name') return showName(dataSource, words.join(' '));
  if (action === 'new-rule') return addRule(dataSource, values, now);
  throw new OperatorError('awards: name hide-name, show-name or new-rule');
}

async function hideName(dataSource: DataSource, name: string, now: Date): Promise<string> {
  const hash = hashOf(name);
  const count = await dataSource.transaction(async (manager) => {
    // An import that runs at the same time would store the name again.
    await takeChangeLock(manager);
    const [, hidden]: [unknown, number] = await manager.query(HIDE_NAME, [hash, now]);
    return hidden;
  });
  return `The name is hidden. It was removed from ${count} awards\n`;
}

async function showName(dataSource: DataSource, name: string): Promise<string> {
  const [, count] = await dataSource.query(SHOW_NAME, [hashOf(name)]);
  return count === 0 ? 'The name was not hidden\n' : 'The next import of its awards stores the name again\n';
}

function hashOf(name: string): string {
  if (nameKey(name).length < 3) throw new OperatorError('awards: name the firm as the portal writes it');
  return nameHash(name);
}

interface RuleOptions {
  state?: string | undefined;
  department?: string | undefined;
  from?: string | undefined;
  rule?: string | undefined;
  source?: string | undefined;
}

async function addRule(dataSource: DataSource, options: RuleOptions, now: Date): Promise<string> {
  const { from = '', rule, source, department = null } = options;
  const region = findRegion(options.state ?? '');
  if (!region) throw new OperatorError('awards: --state must be a state of India');
  if (!isDay(from)) throw new OperatorError('awards: --from must be a day like 2026-01-03');
  if (!rule || !source) throw new OperatorError('awards: --rule and --source are needed');
  const state = region.state.name;
  const [{ known }] =
    department === null ? [{ known: true }] : await dataSource.query(HAS_DEPARTMENT_AWARDS, [state, department]);
  if (!known) throw new OperatorError(`awards: no award of a department "${department}" is known in ${state}`);
  await addRegime(dataSource, { state, department, from, rule, source }, now);
  const offices = await computeAwardStatistics({ dataSource, now });
  return `The rule is stored; ${offices} offices have new statistics\n`;
}
