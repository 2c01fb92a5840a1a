/** The operator's command for schedules of rates. */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { isDay } from '@nivida/contract/time';
import { InvalidOptionsError } from '../../base/config.ts';
import { OperatorError } from '../../base/operator-error.ts';
import { RATE_ROLES, type RateRole } from '../../documents/rates/rate-columns.ts';
import { RateSchedulesService } from '../../documents/rates/rate-schedules.service.ts';
import { type RateFile, readRateFile } from '../../documents/rates/read-rate-file.ts';
import type { ServiceContext } from '../service-command.ts';
import { ACT_OPTIONS, commandAct } from './act-options.ts';

/** Runs `rates ARGS`: import, list or remove. Returns the text for stdout. Throws InvalidOptionsError and OperatorError. */
export async function runRates(args: string[], { find }: Pick<ServiceContext, 'find'>): Promise<string> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      ...ACT_OPTIONS,
      name: { type: 'string' },
      state: { type: 'string' },
      from: { type: 'string' },
      column: { type: 'string', multiple: true, default: [] },
      'dry-run': { type: 'boolean', default: false },
    },
  });
  const [command = '', subject, ...more] = positionals;
  const needsSubject = command === 'import' || command === 'remove';
  if (more.length > 0 || (subject !== undefined) !== needsSubject || !['import', 'remove', 'list'].includes(command))
    throw new InvalidOptionsError('rates: import FILE, list or remove ID');
  const schedules = await find(RateSchedulesService);
  const output = (result: unknown, lines: readonly string[]) =>
    values.json ? `${JSON.stringify(result)}\n` : `${lines.join('\n')}\n`;
  if (command === 'list') {
    const list = await schedules.list();
    const lines = list.map(({ id, state, name, from, items }) =>
      [id, state, name, from ?? '-', `${items} items`].join('\t'),
    );
    return output(list, [...lines, `${list.length} schedules`]);
  }
  const act = commandAct(command, values.reason || 'By command on the server');
  if (command === 'remove') {
    await schedules.remove(subject ?? '', act);
    return output({ id: subject }, ['The schedule is removed']);
  }
  const { name, state, from = null } = values;
  if (name === undefined || state === undefined) throw new InvalidOptionsError('import needs --name and --state');
  if (from !== null && !isDay(from)) throw new InvalidOptionsError('--from must be a day: YYYY-MM-DD');
  const schedule = schedules.check({ name, state, from });
  const file = await readFileOf(subject ?? '', readColumns(values.column));
  const counts = {
    items: file.items.length,
    headings: file.headings,
    repeated: file.repeated,
    refused: file.refused.length,
  };
  const isStored = !values['dry-run'];
  const { replaced } = isStored ? await schedules.import(schedule, file, act) : { replaced: false };
  const summary = Object.entries(counts).map(([what, count]) => `${what} ${count}`);
  return output({ ...counts, stored: isStored, replaced, refusals: file.refused }, [
    ...file.refused.map(({ line, reason }) => `refused: line ${line} ${reason}`),
    ...(isStored ? [] : samples(file)),
    ...(replaced ? [`The earlier "${schedule.name}" is replaced`] : []),
    `${summary.join(', ')}${isStored ? '' : ' (dry run: nothing is stored)'}`,
  ]);
}

/** The first items, to be compared with the file. */
const samples = ({ items }: RateFile): string[] =>
  items.slice(0, 5).map(({ code, text, unit, rate }) => [code || '-', unit, `₹${rate}`, text].join('\t'));

async function readFileOf(path: string, columns: Partial<Record<RateRole, string>>): Promise<RateFile> {
  const bytes = await readFile(path).catch(() => {
    throw new OperatorError(`${path}: there is no such file`);
  });
  try {
    return readRateFile(bytes, columns);
  } catch (error) {
    if (error instanceof OperatorError) throw new OperatorError(`${basename(path)}: ${error.message}`);
    throw error;
  }
}

function readColumns(stated: readonly string[]): Partial<Record<RateRole, string>> {
  return Object.fromEntries(
    stated.map((text) => {
      const at = text.lastIndexOf('=');
      const role = RATE_ROLES.find((each) => each === text.slice(at + 1).trim());
      if (at < 1 || !role) throw new InvalidOptionsError(`--column must be "NAME=${RATE_ROLES.join('|')}"`);
      return [role, text.slice(0, at).trim()];
    }),
  );
}
