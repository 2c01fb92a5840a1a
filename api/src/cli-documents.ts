/** The operator's commands for official files: attach and list. */
import { statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { FileKind } from '@nivida/contract/document-package';
import { formatDateTime } from '@nivida/contract/format';
import type { DataSource } from 'typeorm';
import type { Config } from './config.ts';
import { type AttachedFile, AttachService, UnknownTender } from './documents/attach.service.ts';
import { IntakeService } from './documents/intake.service.ts';
import { PackagesService } from './documents/packages.service.ts';
import { listRequested } from './documents/requests.service.ts';
import { BadRequest } from './ingest/import.ts';

/** How the commands are called. */
export const DOCUMENTS_USAGE = `  npm run documents -- attach --tender ID [--nit FILE]… [--boq FILE]… [FILE…] [--all-works] [--reason TEXT] [--json]
  npm run documents -- attach --documents DIR [--reason TEXT] [--json]
  npm run documents -- list [--tender ID | --asked] [--json]
      Without --nit and --boq the kind follows from the name (Tendernotice_1.pdf, BOQ_1.xls). Only a tender with its NIT
      is sold. --all-works: the files belong to every work of the notice, not to ID alone.`;

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
      nit: { type: 'string', multiple: true, default: [] },
      boq: { type: 'string', multiple: true, default: [] },
      'all-works': { type: 'boolean', default: false },
      asked: { type: 'boolean', default: false },
      reason: { type: 'string', default: '' },
      json: { type: 'boolean', default: false },
    },
  });
  const [command, ...others] = positionals;
  const files: AttachedFile[] = [
    ...values.nit.map((path) => ({ path, kind: 'nit' as const })),
    ...values.boq.map((path) => ({ path, kind: 'boq' as const })),
    ...others.map((path) => ({ path })),
  ];
  const service = attachService(context);
  try {
    if (command === 'list' && values.asked) return printRequested(context, values.json);
    if (command === 'list') {
      const listed = await service.list(values.tender);
      return print(listed, values.json);
    }
    if (command !== 'attach') throw new BadRequest('documents: attach or list');
    if (values.documents !== undefined)
      return await attachFolder(values.documents, values.reason, values.json, context);
    if (values.tender === undefined || files.length === 0)
      throw new BadRequest('name a --tender and its files, or --documents');
    const missing = files.find(({ path }) => !statSync(path, { throwIfNoEntry: false })?.isFile());
    if (missing) throw new BadRequest(`there is no file "${missing.path}"`);
    const tender = values.tender;
    const taken = await service.attach(tender, files, values.reason, values['all-works']);
    if (!(await service.isSellable(tender)))
      context.say('No file is the NIT of this tender, so nothing is sold. Name it with --nit FILE.');
    return print(
      taken.map((file) => ({ tender, ...file })),
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

async function printRequested({ dataSource, now }: DocumentsContext, isJson: boolean): Promise<string> {
  const requested = await listRequested(dataSource, now);
  if (isJson) return `${JSON.stringify(requested)}\n`;
  const lines = requested.map(({ asked, tender, closesAt, title }) =>
    [asked, tender, `closes ${formatDateTime(closesAt)}`, title].join('\t'),
  );
  return `${[...lines, `${requested.length} tenders`].join('\n')}\n`;
}

const KINDS: Readonly<Record<FileKind, string>> = { nit: 'NIT', boq: 'BOQ', other: 'other' };

function print(
  files: readonly { tender: string; name: string; kind: FileKind; state: string; note: string | null }[],
  isJson: boolean,
): string {
  if (isJson) return `${JSON.stringify(files)}\n`;
  const lines = files.map(({ tender, name, kind, state, note }) =>
    [state, tender, name, KINDS[kind], note ?? ''].join('\t').trimEnd(),
  );
  return `${[...lines, `${files.length} files`].join('\n')}\n`;
}
