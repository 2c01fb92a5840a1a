/** The operator's commands for what official files say. */
import type { DeskLines } from '@nivida/contract/desk/document-lines';
import { FactValue } from '@nivida/contract/documents/document-facts';
import type { DataSource } from 'typeorm';
import * as v from 'valibot';
import { AppError } from '../../base/app-error.ts';
import { InvalidOptionsError } from '../../base/config.ts';
import { DocumentLinesService, type LineDecision, valueText } from '../../desk/documents/document-lines.service.ts';

const LINE_COMMANDS = ['facts', 'confirm', 'correct', 'hide', 'restore'] as const;
type LineCommand = (typeof LINE_COMMANDS)[number];

export const isLineCommand = (command: string | undefined): command is LineCommand =>
  LINE_COMMANDS.some((each) => each === command);

interface LineOptions {
  tender?: string | undefined;
  value?: string | undefined;
  reason: string;
  json: boolean;
}

interface LineContext {
  dataSource: DataSource;
  now: Date;
  /** The tender with an id, ours or a portal's. */
  findTender(id: string): Promise<{ id: number }>;
}

/** Runs `documents COMMAND ARGS`; returns the text for stdout. Throws InvalidOptionsError. */
export async function runLineCommand(
  command: LineCommand,
  args: readonly string[],
  options: LineOptions,
  { dataSource, now, findTender }: LineContext,
): Promise<string> {
  const service = new DocumentLinesService(dataSource, () => now);
  try {
    if (command === 'facts') {
      if (options.tender === undefined) throw new InvalidOptionsError('name a --tender');
      const { id } = await findTender(options.tender);
      return printLines(await service.read(id), options);
    }
    const [lineId = '', ...others] = args;
    if (!/^[1-9]\d{0,17}$/.test(lineId) || others.length > 0)
      throw new InvalidOptionsError('name the number of one line; `documents facts --tender ID` lists them');
    const decision = decisionOf(command, options.value);
    const tenderId = await service.findTenderOf(lineId);
    const lines = await service.decide(tenderId, lineId, decision, { actorId: null, reason: options.reason });
    return printLines({ ...lines, files: [], lines: lines.lines.filter(({ id }) => id === lineId) }, options);
  } catch (error) {
    const isUnknown = error instanceof AppError && error.code === 'NOT_FOUND';
    throw isUnknown ? new InvalidOptionsError(error.message) : error;
  }
}

function decisionOf(command: Exclude<LineCommand, 'facts'>, value: string | undefined): LineDecision {
  if (command === 'confirm') return { state: 'confirmed' };
  if (command === 'hide') return { state: 'hidden' };
  if (command === 'restore') return { state: 'found' };
  if (value === undefined) throw new InvalidOptionsError('correct needs the --value that stands in the line, or none');
  return { state: 'corrected', value: value === 'none' ? null : parseValue(value) };
}

/** '25000 rupees', '25000.50 rupees', '90 days', '6 months' */
function parseValue(text: string): FactValue {
  const [, whole = '', paise = '', unit = ''] = /^(\d+)(?:\.(\d{2}))? (rupees|days|months)$/.exec(text.trim()) ?? [];
  const amount = unit === 'rupees' ? `${whole}.${paise || '00'}` : paise ? Number.NaN : Number(whole);
  const value = v.safeParse(FactValue, { unit, amount });
  if (!value.success) throw new InvalidOptionsError('a value is like "25000 rupees", "90 days" or "6 months"');
  return value.output;
}

function printLines({ files, lines }: DeskLines, { json }: Pick<LineOptions, 'json'>): string {
  if (json) return `${JSON.stringify({ files, lines })}\n`;
  const fileNames = new Map(files.map(({ id, name }) => [id, name]));
  const rows = [
    ...files.map(({ name, state, pages }) => [state, name, pages === null ? '' : `${pages} pages`]),
    ...lines.map(({ id, fileId, state, topic, page, value, quote }) => [
      ...[id, state, topic, value ? valueText(value) : ''],
      ...[[fileNames.get(fileId), `p. ${page}`].filter(Boolean).join(' '), quote.replaceAll(/\s+/g, ' ')],
    ]),
  ];
  return `${[...rows.map((row) => row.join('\t').trimEnd()), `${lines.length} lines`].join('\n')}\n`;
}
