import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { setImmediate as immediate } from 'node:timers/promises';
import { t } from '@lingui/core/macro';
import { Inject, Injectable } from '@nestjs/common';
import { inLanguage } from '@nivida/contract/i18n';
import { type Language, languages } from '@nivida/contract/languages';
import { DataSource, type EntityManager } from 'typeorm';
import { ZipFile } from 'yazl';
import type { Config } from '../../base/config.ts';
import { CONFIG } from '../../base/injection-tokens.ts';
import '../../base/texts.ts';
import type { LocalFile } from '../../storage/file-storage.ts';
import { type FileStore, openFileStore, type StoredFile } from '../../storage/file-store.ts';
import type { TenderEntity } from '../../tenders/tender.entity.ts';
import { openZipArchive, type ZipArchive } from '../files/file-scan.ts';
import { safeFileName, splitFileName, UniqueFileNames } from './file-names.ts';
import { findWorks, isDemonstration, isGenerated, type NitContents, readNit } from './nit.ts';
import { storePackageContents } from './package-contents.ts';
import { INSERT_PACKAGE, NEWEST_PACKAGE, PACKAGE_FINGERPRINT, READY_FILES } from './packages.sql.ts';

/** One version of the documents of an NIT. */
export interface DocumentPackage {
  /** A bigint as text. */
  id: string;
  nit: string;
  version: number;
  fileKey: string;
  /** Hex. */
  sha256: string;
  bytes: number;
  fileNames: string[];
  isDemonstration: boolean;
  createdAt: Date;
}

interface PackageFile {
  tender_id: number;
  all_works: boolean;
  name: string;
  file_key: string;
  sha256: string;
  note: string | null;
}

/** An official archive whose files are being copied. */
interface OpenArchive extends LocalFile {
  archive?: ZipArchive;
}

/** Part of every fingerprint: raise it when packages are built differently. Stored packages get a new language only then. */
const PACKAGE_FORMAT = 2;

const MAX_BUILDS = 5;

/** Builds packages: the portal's files, our summary and tables, as a ZIP. */
@Injectable()
export class PackagesService {
  readonly store: FileStore;
  private readonly running = new Map<string, Promise<DocumentPackage | null>>();
  private readonly waiting = new Map<string, Promise<DocumentPackage | null>>();

  constructor(
    private readonly dataSource: DataSource,
    @Inject(CONFIG) config: Pick<Config, 'files' | 'dataDir'>,
  ) {
    this.store = openFileStore(config);
  }

  /** The newest version, even when the tender has changed since. */
  async findNewest(nit: string, manager: EntityManager = this.dataSource.manager): Promise<DocumentPackage | null> {
    const rows: DocumentPackage[] = await manager.query(NEWEST_PACKAGE, [nit]);
    return rows[0] ?? null;
  }

  /**
   * The package that can be delivered now: the newest version. It is built here when there is none yet, and when a
   * demonstration tender has changed. The documents job rebuilds all others. Null without a file of the portal.
   */
  async findDeliverable(nit: string, now: Date): Promise<DocumentPackage | null> {
    const newest = await this.findNewest(nit);
    const isThere = newest !== null && (await this.store.has(newest.fileKey));
    return isThere && !newest.isDemonstration ? newest : this.renew(nit, now);
  }

  /** Builds a new version if the content has changed or the file is lost. Otherwise returns the newest version. */
  renew(nit: string, now: Date): Promise<DocumentPackage | null> {
    const running = this.running.get(nit);
    if (!running) {
      const built = this.buildPackage(nit, now).finally(() => this.running.delete(nit));
      this.running.set(nit, built);
      return built;
    }
    // A running build may have read the files before the caller changed them. Callers share the next one.
    let waiting = this.waiting.get(nit);
    if (!waiting) {
      waiting = running
        .catch(() => null)
        .then(() => {
          this.waiting.delete(nit);
          return this.renew(nit, now);
        });
      this.waiting.set(nit, waiting);
    }
    return waiting;
  }

  /** Throws when other processes have stored other versions first each time. */
  private async buildPackage(nit: string, now: Date): Promise<DocumentPackage | null> {
    for (let build = 0; build < MAX_BUILDS; build += 1) {
      const built = await this.tryBuild(nit, now);
      if (built !== 'lost') return built;
    }
    throw new Error(`Other processes were faster ${MAX_BUILDS} times`);
  }

  /** 'lost' when another process has stored the version first, perhaps from older files. */
  private async tryBuild(nit: string, now: Date): Promise<DocumentPackage | 'lost' | null> {
    const { manager } = this.dataSource;
    await storePackageContents(manager, nit, now);
    const newest = await this.findNewest(nit);
    const works = await findWorks(manager, nit, now);
    // All works were removed. Buyers still get the last package.
    if (works.length === 0) return newest;
    const files: PackageFile[] = await manager.query(`${READY_FILES} WHERE nit = $1 AND state = 'ready' ORDER BY id`, [
      nit,
    ]);
    if (files.length === 0 && !isGenerated(works)) return null;
    const fingerprint = contentFingerprint(works, files);
    const [current] = await manager.query(PACKAGE_FINGERPRINT, [newest?.id ?? 0]);
    if (newest && current?.fingerprint === fingerprint && (await this.store.has(newest.fileKey))) return newest;
    return this.writeVersion(await readNit(manager, nit, works), files, fingerprint, (newest?.version ?? 0) + 1, now);
  }

  private async writeVersion(
    nit: NitContents,
    files: PackageFile[],
    fingerprint: string,
    version: number,
    now: Date,
  ): Promise<DocumentPackage | 'lost' | null> {
    const { stored, names } = await this.writeZip(nit, files, now);
    const rows: { id: string }[] = await this.dataSource.query(INSERT_PACKAGE, [
      nit.nit,
      version,
      stored.key,
      stored.sha256,
      stored.bytes,
      names,
      fingerprint,
      isDemonstration(nit.works),
      now,
    ]);
    if (rows.length > 0) return this.findNewest(nit.nit);
    await this.store.remove(stored.key);
    return 'lost';
  }

  private async writeZip(
    nit: NitContents,
    files: PackageFile[],
    now: Date,
  ): Promise<{ stored: StoredFile; names: string[] }> {
    const zip = new ZipFile();
    const output = zip.outputStream as Readable;
    // yazl reports an unreadable file only here; the reader of the store must be closed too.
    zip.on('error', (error) => output.destroy(error));
    const archives: OpenArchive[] = [];
    try {
      const names = await this.addFiles(zip, nit, files, now, archives);
      zip.end();
      return { stored: await this.store.put(output), names };
    } finally {
      for (const { archive, release } of archives) {
        archive?.close();
        await release();
      }
    }
  }

  /** Lists all files for the ZIP and returns their names; opened archives are added to `archives`. */
  private async addFiles(
    zip: ZipFile,
    nit: NitContents,
    files: PackageFile[],
    now: Date,
    archives: OpenArchive[],
  ): Promise<string[]> {
    const unique = new UniqueFileNames();
    const names: string[] = [];
    const options = { mtime: now, mode: 0o100644 };
    const name = (folder: string, given: string) => {
      names.push(unique.reserve(folder, safeFileName(given)));
      return names.at(-1) as string;
    };
    // Opened lazily, so that two hundred files are not open at once.
    const add = (as: string, read: () => Promise<Readable>) =>
      zip.addReadStreamLazy(as, options, (give) =>
        read().then(
          (stream) => {
            // yazl does not listen to the errors of these streams.
            stream.once('error', (error) => zip.emit('error', error));
            give(null, stream);
          },
          give as () => void,
        ),
      );
    // Loaded here because their libraries would slow every start.
    const { renderNitSummary } = await import('./nit-summary-pdf.ts');
    const { boqSpreadsheet, worksSpreadsheet } = await import('./spreadsheets.ts');
    // All buyers of a notice share its package, so it has the summary in each language.
    for (const language of languages()) {
      // Yield to other requests: a long notice takes a while.
      await immediate();
      zip.addBuffer(await renderNitSummary(nit, now, language), name('', summaryName(language)), options);
    }
    zip.addBuffer(await worksSpreadsheet(nit), name('', 'Works.xlsx'), options);
    if (nit.boq.length > 0) zip.addBuffer(await boqSpreadsheet(nit), name('', 'BOQ.xlsx'), options);
    zip.addBuffer(Buffer.from(readMeText(nit, files)), name('', 'READ-ME.txt'), options);
    for (const file of files) {
      const folder = fileFolder(nit, file);
      const { stem, extension } = splitFileName(safeFileName(file.name));
      if (extension.toLowerCase() === '.zip') {
        const opened: OpenArchive = await this.store.openLocal(file.file_key);
        archives.push(opened);
        const archive = await openZipArchive(opened.path);
        opened.archive = archive;
        for (const inner of archive.files) add(name(`${folder}${stem}/`, inner.name), inner.read);
      } else add(name(folder, file.name), () => this.store.read(file.file_key));
    }
    return names;
  }
}

/** The folder of a file in the package: one folder per work if the NIT has several works. */
function fileFolder({ works }: NitContents, { tender_id, all_works }: PackageFile): string {
  if (works.length === 1) return '';
  if (all_works) return 'notice/';
  const id = works.find((work) => work.id === tender_id)?.sourceId ?? 'notice';
  return `${safeFileName(id.replaceAll(/[\\/]/g, '-'))}/`;
}

/** The name of the summary in a language: 'NIT-summary.pdf', 'NIT-summary-hi.pdf'. */
const summaryName = (language: Language): string =>
  language === 'en' ? 'NIT-summary.pdf' : `NIT-summary-${language}.pdf`;

/** The explanation of the files, in each language. */
const readMeText = (nit: NitContents, files: PackageFile[]): string =>
  languages()
    .map((language) => inLanguage(language, () => readMeLines(nit, files).join('\r\n')))
    .join('\r\n\r\n');

function readMeLines({ works }: NitContents, files: PackageFile[]): string[] {
  const warnings = files.flatMap(({ name, note }) => (note ? [`- ${safeFileName(name)}: ${note}`] : []));
  return [
    ...(isDemonstration(works) ? [t`DEMONSTRATION: not a live tender. These files were generated.`, ''] : []),
    t`Documents of ${{ tender: works[0]?.reference ?? works[0]?.sourceId ?? '' }}`,
    '',
    t`${{ summary: languages().map(summaryName).join(', ') }}, Works.xlsx and this file are by Nivida; all others are as the portal published them.`,
    t`Official documents are free at the portal, and only what stands there counts.`,
    t`Nivida is not a government site. Bids are submitted at the portal.`,
    ...(warnings.length > 0 ? ['', t`Please note:`, ...warnings] : []),
    '',
  ];
}

/** A published change raises the tender's version. A rebased tender changes its dates without a new version, so the shift counts too. */
function contentFingerprint(works: TenderEntity[], files: PackageFile[]): string {
  const content = [
    PACKAGE_FORMAT,
    works.map(({ id, version, shiftDays }) => [id, version, shiftDays]),
    files.map(({ tender_id, all_works, name, sha256 }) => [tender_id, name, sha256, ...(all_works ? ['all'] : [])]),
  ];
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}
