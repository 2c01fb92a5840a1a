/** The `awards` command: hidden names and changes of price rules. */
import { parseArgs } from 'node:util';
import { findRegion } from '@nivida/contract/regions/regions';
import type { DataSource } from 'typeorm';
import { addRegime, computeAwardStatistics } from './awards/award-statistics.job.ts';
import { HIDE_NAME, SHOW_NAME } from './awards/awards.sql.ts';
import { nameHash, nameKey } from './awards/name-hash.ts';
import { OperatorError } from './orders/operator/order-operator.ts';

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
  const [, count] = await dataSource.query(HIDE_NAME, [hashOf(name), now]);
  return `The name is hidden. It was removed from ${count} awards\n`;
}

async function showName(dataSource: DataSource, name: string): Promise<string> {
  const [, count] = await dataSource.query(SHOW_NAME, [hashOf(name)]);
  return count === 0 ? 'The name was not hidden\n' : 'The next import of a changed award stores the name again\n';
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
  if (!/^\d{4}-\d\d-\d\d$/.test(from) || Number.isNaN(Date.parse(from)))
    throw new OperatorError('awards: --from must be a day like 2026-01-03');
  if (!rule || !source) throw new OperatorError('awards: --rule and --source are needed');
  await addRegime(dataSource, { state: region.state.name, department, from, rule, source }, now);
  const offices = await computeAwardStatistics({ dataSource, now });
  return `The rule is stored; ${offices} offices have new statistics\n`;
}
