/** The operator's command for the mappings of portals' tables. */
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import {
  AMOUNT_UNITS,
  type AmountUnit,
  type ColumnMapping,
  type FileDescription,
  MAPPED_FIELD_NAMES,
  type MappedColumn,
  type MappedFieldName,
  type MappingPreview,
  type SavedMapping,
} from '@nivida/contract/desk/mapping';
import { InvalidOptionsError } from '../../base/config.ts';
import { foldHeader } from '../../ingest/mapping/mapped-table.ts';
import { MappingService } from '../../ingest/mapping/mapping.service.ts';
import type { ServiceContext } from '../service-command.ts';
import { ACT_OPTIONS, commandAct } from './act-options.ts';

/** Runs `mappings ARGS`: describe, preview, save, show or list. Returns the text for stdout. Throws InvalidOptionsError and AppError. */
export async function runMappings(args: string[], { find }: ServiceContext): Promise<string> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      ...ACT_OPTIONS,
      portal: { type: 'string' },
      state: { type: 'string' },
      column: { type: 'string', multiple: true, default: [] },
      fixed: { type: 'string', multiple: true, default: [] },
      from: { type: 'string' },
    },
  });
  const [command = '', file, ...more] = positionals;
  const { portal } = values;
  const service = await find(MappingService);
  const output = (result: unknown, text: () => string) => (values.json ? `${JSON.stringify(result)}\n` : text());
  if (command === 'list' || command === 'show') {
    if (file !== undefined || (command === 'show' && portal === undefined))
      throw new InvalidOptionsError(command === 'show' ? 'show needs --portal' : 'list takes no file');
    const saved = command === 'list' ? await service.list() : await service.show(portal ?? '');
    return output(saved, () => savedText(saved, command === 'show'));
  }
  if (!['describe', 'preview', 'save'].includes(command))
    throw new InvalidOptionsError('mappings: describe, preview, save, show or list');
  if (file === undefined || more.length > 0) throw new InvalidOptionsError(`${command}: name one file`);
  if (command === 'describe') {
    const description = await service.describe(file, portal);
    return output(description, () => descriptionText(description));
  }
  if (portal === undefined) throw new InvalidOptionsError(`${command} needs --portal`);
  const isStated = values.from !== undefined || values.column.length > 0 || values.fixed.length > 0;
  const mapping = command === 'save' || isStated ? await readMapping(values, await service.describe(file)) : undefined;
  if (command === 'save') {
    const act = commandAct(command, values.reason || 'By command on the server');
    const saved = await service.save(portal, mapping ?? emptyMapping(), act);
    return output(saved, () => savedText([saved], true));
  }
  const preview = await service.preview(file, { portal, state: values.state, mapping });
  return output(preview, () => previewText(preview));
}

const emptyMapping = (): ColumnMapping => ({ columns: [], fixed: {}, state: null });

interface MappingOptions {
  state?: string | undefined;
  column: string[];
  fixed: string[];
  from?: string | undefined;
}

/** The mapping of a JSON file, or the guesses with the columns that the options name. */
async function readMapping(options: MappingOptions, description: FileDescription): Promise<ColumnMapping> {
  const { state, column, fixed, from } = options;
  const columns =
    from === undefined
      ? description.columns.map(({ column: name, guess }): MappedColumn => ({ column: name, field: guess }))
      : [];
  const base: ColumnMapping = from === undefined ? { ...emptyMapping(), columns } : await readJson(from);
  const mapping = { ...base, state: state ?? base.state ?? null, fixed: { ...base.fixed } };
  for (const text of column) {
    const [name, field] = readPair('--column', text);
    const found = mapping.columns.filter((each) => foldHeader(each.column) === foldHeader(name));
    if (found.length === 0) throw new InvalidOptionsError(`--column: the file has no column "${name}"`);
    const [fieldName = '', unit] = field.split(':');
    for (const each of found) {
      each.field = fieldName === 'none' ? null : readField(fieldName);
      if (unit !== undefined) each.unit = readUnit(unit);
    }
  }
  for (const text of fixed) {
    const [field, value] = readPair('--fixed', text);
    mapping.fixed[readField(field)] = value;
  }
  return mapping;
}

function readUnit(unit: string): AmountUnit {
  const found = AMOUNT_UNITS.find((each) => each === unit);
  if (!found) throw new InvalidOptionsError(`--column: the unit is one of ${AMOUNT_UNITS.join(', ')}`);
  return found;
}

async function readJson(path: string): Promise<ColumnMapping> {
  try {
    const read = JSON.parse(await readFile(path, 'utf8'));
    return { ...emptyMapping(), ...read };
  } catch (error) {
    throw new InvalidOptionsError(`--from: ${path} is no JSON file (${(error as Error).message})`);
  }
}

function readPair(option: '--column' | '--fixed', text: string): [string, string] {
  // The name of a column may contain the sign, and so may a fixed value.
  const at = option === '--fixed' ? text.indexOf('=') : text.lastIndexOf('=');
  if (at < 1) throw new InvalidOptionsError(`${option} must be NAME=VALUE, not "${text}"`);
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

function readField(text: string): MappedFieldName {
  const field = MAPPED_FIELD_NAMES.find((name) => name === text.toLowerCase());
  if (!field) throw new InvalidOptionsError(`there is no field "${text}"; fields are ${MAPPED_FIELD_NAMES.join(', ')}`);
  return field;
}

function descriptionText({ table, header_line, columns, format, mapping }: FileDescription): string {
  const name = table === null ? '' : ` of "${table}"`;
  const lines = columns.map(({ column, guess, samples }) => `${column}\t${guess ?? '-'}\t${samples.join(' | ')}`);
  const known = mapping
    ? `read by the mapping of ${mapping.portal}, version ${mapping.version}`
    : format === null
      ? 'unknown: save a mapping with --column "NAME=FIELD"'
      : `known as ${format}: needs no mapping`;
  return `${[`Header${name} in line ${header_line}, ${known}`, ...lines].join('\n')}\n`;
}

function previewText({ tenders, counts, rejections, notes, problem }: MappingPreview): string {
  const cards = tenders.map((tender) =>
    [
      tender.title,
      tender.org_name,
      tender.district ?? tender.state,
      tender.price === null ? 'no value' : `₹${tender.price}`,
      `closes ${tender.closing_date}`,
      tender.source_tender_id,
    ].join('\t'),
  );
  const reasons = rejections.map(
    ({ column, reason, count, line, value }) => `rejected ${count}: ${column} ${reason} ("${value}" in line ${line})`,
  );
  const { read, new: added, changed, unchanged, rejected } = counts;
  const total = `read ${read}, new ${added}, changed ${changed}, unchanged ${unchanged}, rejected ${rejected}`;
  return `${[...cards, ...notes, ...reasons, ...(problem === null ? [] : [`Would stop: ${problem}`]), total].join('\n')}\n`;
}

function savedText(saved: readonly SavedMapping[], withColumns: boolean): string {
  return saved
    .map(({ portal, version, at, mapping: { columns, fixed, state } }) => {
      const lines = columns.map(({ column, field }) => `  ${column} = ${field ?? 'none'}`);
      const values = Object.entries(fixed).map(([field, value]) => `  every row: ${field} = ${value}`);
      const place = state === null ? [] : [`  state = ${state}`];
      return [`${portal}\tversion ${version}\t${at}`, ...(withColumns ? [...lines, ...values, ...place] : [])].join(
        '\n',
      );
    })
    .concat(saved.length === 0 ? ['No mapping is saved'] : [])
    .join('\n')
    .concat('\n');
}
