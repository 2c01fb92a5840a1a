/** The operator's commands for official files: attach and list. Those for their lines are in document-lines.command.ts. */
import { statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { formatDateTime } from '@nivida/contract/format';
import type { FileKind } from '@nivida/contract/orders/document-package';
import type { DataSource } from 'typeorm';
import type { OperatorAct } from '../../audit/record-act.ts';
import type { Config } from '../../base/config.ts';
import { InvalidOptionsError } from '../../base/config.ts';
import { listRequestedTenders } from '../../documents/document-requests.service.ts';
import {
  AmbiguousTenderError,
  type AttachProgress,
  DocumentAttachService,
  type FileToAttach,
  UnknownTenderError,
} from '../../documents/files/attach.service.ts';
import { FileUploadService } from '../../documents/files/file-upload.service.ts';
import { PackagesService } from '../../documents/packages/packages.service.ts';
import { isLineCommand, runLineCommand } from './document-lines.command.ts';

/** The context of the commands; `log` writes messages that are not the result. */
export interface DocumentsContext {
  dataSource: DataSource;
  config: Pick<Config, 'files' | 'dataDir'>;
  now: Date;
  log(line: string): void;
  /** Called when some tenders failed and the others were attached. */
  onFailure?(): void;
}

const actOf = (reason: string): OperatorAct => ({ actorId: null, reason });

function attachService({ dataSource, config, now }: DocumentsContext): DocumentAttachService {
  const packages = new PackagesService(dataSource, config);
  const uploads = new FileUploadService(dataSource, packages, () => now);
  return new DocumentAttachService(dataSource, uploads, packages, () => now);
}

/** Runs `documents ARGS`; returns the text for stdout. Throws InvalidOptionsError. */
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
      value: { type: 'string' },
      reason: { type: 'string', default: '' },
      json: { type: 'boolean', default: false },
    },
  });
  const [command, ...others] = positionals;
  const files: FileToAttach[] = [
    ...values.nit.map((path) => ({ path, kind: 'nit' as const })),
    ...values.boq.map((path) => ({ path, kind: 'boq' as const })),
    ...others.map((path) => ({ path })),
  ];
  const service = attachService(context);
  try {
    if (isLineCommand(command)) {
      const findTender = (id: string) => service.findTender(id);
      return await runLineCommand(command, others, values, { ...context, findTender });
    }
    if (command === 'list' && values.asked) return printRequested(context, values.json);
    if (command === 'list') {
      const listed = await service.listFiles(values.tender);
      return printFiles(listed, values.json);
    }
    if (command !== 'attach')
      throw new InvalidOptionsError('documents: attach, list, facts, confirm, correct, hide or restore');
    if (values.documents !== undefined)
      return await attachFolder(values.documents, values.reason, values.json, context);
    if (values.tender === undefined || files.length === 0)
      throw new InvalidOptionsError('name a --tender and its files, or --documents');
    const missing = files.find(({ path }) => !statSync(path, { throwIfNoEntry: false })?.isFile());
    if (missing) throw new InvalidOptionsError(`there is no file "${missing.path}"`);
    const tender = values.tender;
    const taken = await service.attachFiles(tender, files, actOf(values.reason), values['all-works']);
    if (!(await service.isSellable(tender)))
      context.log('No file is the NIT of this tender, so nothing is sold. Name it with --nit FILE.');
    return printFiles(
      taken.map(({ isStored: _isStored, ...file }) => ({ tender, ...file })),
      values.json,
    );
  } catch (error) {
    const isWrongId = error instanceof UnknownTenderError || error instanceof AmbiguousTenderError;
    throw isWrongId ? new InvalidOptionsError(error.message) : error;
  }
}

/** Attaches a folder with subfolders named by tender id. Throws InvalidOptionsError. */
export async function attachFolder(
  folder: string,
  reason: string,
  isJson: boolean,
  context: DocumentsContext,
): Promise<string> {
  assertFolder(folder);
  const { files, unknown, failed } = await attachService(context).attachFolder(folder, actOf(reason), (progress) =>
    context.log(progressLine(progress)),
  );
  for (const name of unknown) context.log(`No tender is called "${name}": its files were left alone`);
  for (const { tender, message } of failed) context.log(`${tender} failed: ${message}`);
  if (failed.length > 0) {
    context.log(
      `${failed.length} tenders failed, the others are done. The same command again goes on with what failed`,
    );
    context.onFailure?.();
  }
  return printFiles(
    files.map(({ isStored: _isStored, ...file }) => file),
    isJson,
  );
}

/** '3 of 50  2026_PWD_1_1: 2 files, 1 refused' */
function progressLine({ tender, done, total, files }: AttachProgress): string {
  const count = (name: string, counted: number) => (counted > 0 ? [`${counted} ${name}`] : []);
  const parts = files
    ? [
        `${files.length} files`,
        ...count('refused', files.filter(({ state }) => state === 'refused').length),
        ...count('there already', files.filter(({ isStored }) => isStored).length),
      ]
    : ['failed'];
  return `${done} of ${total}  ${tender}: ${parts.join(', ')}`;
}

/** Throws InvalidOptionsError unless `folder` is a folder. */
export function assertFolder(folder: string): void {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new InvalidOptionsError(`there is no folder "${folder}"`);
}

async function printRequested({ dataSource, now }: DocumentsContext, isJson: boolean): Promise<string> {
  const requested = await listRequestedTenders(dataSource, now);
  if (isJson) return `${JSON.stringify(requested)}\n`;
  const lines = requested.map(({ asked: requestedTenders, tender, closesAt, title }) =>
    [requestedTenders, tender, `closes ${formatDateTime(closesAt)}`, title].join('\t'),
  );
  return `${[...lines, `${requested.length} tenders`].join('\n')}\n`;
}

const KIND_LABELS: Readonly<Record<FileKind, string>> = { nit: 'NIT', boq: 'BOQ', other: 'other' };

function printFiles(
  files: readonly { tender: string; name: string; kind: FileKind; state: string; note: string | null }[],
  isJson: boolean,
): string {
  if (isJson) return `${JSON.stringify(files)}\n`;
  const lines = files.map(({ tender, name, kind, state, note }) =>
    [state, tender, name, KIND_LABELS[kind], note ?? ''].join('\t').trimEnd(),
  );
  return `${[...lines, `${files.length} files`].join('\n')}\n`;
}
