/** The operator's commands for official files: attach and list. */
import { statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { DataSource } from 'typeorm';
import type { Config } from './config.ts';
import { AttachService, UnknownTender } from './documents/attach.service.ts';
import { IntakeService } from './documents/intake.service.ts';
import { PackagesService } from './documents/packages.service.ts';
import { BadRequest } from './ingest/import.ts';

/** How the commands are called. */
export const DOCUMENTS_USAGE = `  npm run documents -- attach (--tender ID FILE… | --documents DIR) [--reason TEXT] [--json]
  npm run documents -- list [--tender ID] [--json]`;

/** What the commands work on; `say` tells people what is no result. */
export interface DocumentsContext {
  dataSource: DataSource;
  config: Pick<Config, 'filesFolder'>;
  now: Date;
  say(line: string): void;
}

function attachService({ dataSource, config, now }: DocumentsContext): AttachService {
  const packages = new PackagesService(dataSource, config);
  const intake = new IntakeService(dataSource, packages, () => now);
  return new AttachService(dataSource, intake, packages, () => now);
}

/** Runs `documents ARGS`; gives what goes to stdout. Throws BadRequest. */
export async function runDocuments(args: string[], context: DocumentsContext): Promise<string> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      tender: { type: 'string' },
      documents: { type: 'string' },
      reason: { type: 'string', default: '' },
      json: { type: 'boolean', default: false },
    },
  });
  const [command, ...files] = positionals;
  const service = attachService(context);
  try {
    if (command === 'list') {
      const listed = await service.list(values.tender);
      return print(listed, values.json);
    }
    if (command !== 'attach') throw new BadRequest('documents: attach or list');
    if (values.documents !== undefined)
      return await attachFolder(values.documents, values.reason, values.json, context);
    if (values.tender === undefined || files.length === 0)
      throw new BadRequest('name a --tender and its files, or --documents');
    const missing = files.find((file) => !statSync(file, { throwIfNoEntry: false })?.isFile());
    if (missing) throw new BadRequest(`there is no file "${missing}"`);
    const tender = values.tender;
    return print(
      (await service.attach(tender, files, values.reason)).map((file) => ({ tender, ...file })),
      values.json,
    );
  } catch (error) {
    throw error instanceof UnknownTender ? new BadRequest(error.message) : error;
  }
}

/** Attaches a folder of folders by tender id; also the option of an import. Throws BadRequest. */
export async function attachFolder(
  folder: string,
  reason: string,
  isJson: boolean,
  context: DocumentsContext,
): Promise<string> {
  refuseNoFolder(folder);
  const { files, unknown } = await attachService(context).attachFolder(folder, reason);
  for (const name of unknown) context.say(`No tender is called "${name}": its files were left alone`);
  return print(files, isJson);
}

/** Throws BadRequest for what is no folder. */
export function refuseNoFolder(folder: string): void {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new BadRequest(`there is no folder "${folder}"`);
}

function print(
  files: readonly { tender: string; name: string; state: string; note: string | null }[],
  isJson: boolean,
): string {
  if (isJson) return `${JSON.stringify(files)}\n`;
  const lines = files.map(({ tender, name, state, note }) => [state, tender, name, note ?? ''].join('\t').trimEnd());
  return `${[...lines, `${files.length} files`].join('\n')}\n`;
}
