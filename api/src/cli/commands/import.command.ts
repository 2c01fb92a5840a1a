/** The command `import`. */
import { parseArgs } from 'node:util';
import { InvalidOptionsError, readProcessConfig } from '../../base/config.ts';
import { importFile } from '../../ingest/import.ts';
import type { ImportRequest } from '../../ingest/import-request.ts';
import { addCounts, type IngestCounts } from '../../ingest/ingest-run.ts';
import { UnreadableFileError } from '../../ingest/source-tender.ts';
import { openDatabase } from '../../schema/database.ts';

const EXIT_REJECTED = 1;
const FORMATS = ['auto', 'gepnic', 'gepnic-list', 'ocds', 'pincodes', 'awards'] as const;

const logLine = (line: string) => process.stderr.write(`${line}\n`);

/** Runs `import ARGS`; returns the exit code. Throws InvalidOptionsError or UnreadableFileError. */
export async function runImport(args: string[]): Promise<number> {
  const { values, positionals: files } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      format: { type: 'string', default: 'auto' },
      portal: { type: 'string' },
      state: { type: 'string' },
      rebase: { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
      rejects: { type: 'string' },
      documents: { type: 'string' },
      'allow-missing': { type: 'string', multiple: true, default: [] },
      'accept-mass-change': { type: 'boolean', default: false },
      'accept-state': { type: 'boolean', default: false },
      mapping: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  if (files.length === 0) throw new InvalidOptionsError('name the file to import');
  const documents = values.documents === undefined ? undefined : await import('./documents.command.ts');
  if (values.documents !== undefined) documents?.assertFolder(values.documents);
  const format = FORMATS.find((name) => name === values.format);
  if (!format) throw new InvalidOptionsError(`--format must be one of ${FORMATS.join(', ')}`);
  const total: IngestCounts = { read: 0, new: 0, changed: 0, unchanged: 0, rejected: 0 };
  const config = readProcessConfig();
  const database = await openDatabase(config);
  try {
    for (const file of files) {
      const request: ImportRequest = {
        file,
        format,
        portal: values.portal,
        state: values.state,
        rebase: values.rebase,
        dryRun: values['dry-run'],
        rejects: values.rejects,
        mapping: values.mapping,
        allowMissing: values['allow-missing'],
        acceptMassChange: values['accept-mass-change'],
        acceptState: values['accept-state'],
      };
      const context = {
        dataSource: database.dataSource,
        dataDir: config.dataDir,
        withAwardNames: config.awardNames,
        now: new Date(),
        log: logLine,
      };
      const counts = await importFile(request, context).catch((error) => {
        throw error instanceof UnreadableFileError ? new UnreadableFileError(`${file} ${error.message}`) : error;
      });
      addCounts(total, counts);
    }
    if (documents && values.documents !== undefined && !values['dry-run']) {
      const context = { dataSource: database.dataSource, config, now: new Date(), log: logLine };
      logLine(
        (await documents.attachFolder(values.documents, `import of ${files.join(', ')}`, false, context)).trimEnd(),
      );
    }
  } finally {
    await database.close();
  }
  process.stdout.write(values.json ? `${JSON.stringify(total)}\n` : countsText(total));
  return total.rejected === total.read ? EXIT_REJECTED : 0;
}

/** The last line of the output. Programs read it, so its form must not change. */
function countsText({ warnings, ...counts }: IngestCounts): string {
  const line = Object.entries(counts).map(([name, count]) => `${name} ${count}`);
  const cells = warnings ? `warnings ${warnings} (cells that were not used)\n` : '';
  return `${cells}${line.join(', ')}\n`;
}
