import type { ColumnMapping } from '@nivida/contract/desk/mapping';
import type { DataSource } from 'typeorm';
import type { SourceFormat } from './files/source-file.ts';
import type { Rejection, SourceTender } from './source-tender.ts';

/** Options of the operator. */
export interface ImportRequest {
  file: string;
  format: SourceFormat | 'auto';
  portal: string | undefined;
  /** Name, slug or alias. */
  state: string | undefined;
  /** 'YYYY-MM-DD': all dates move by whole Indian days, and this day becomes today. */
  rebase: string | undefined;
  dryRun: boolean;
  /** The portal whose saved mapping must fit. Without it the mapping of `portal` is used when it fits. */
  mapping?: string | undefined;
  /** A mapping that is not saved, for a preview. */
  columns?: ColumnMapping | undefined;
  /** Columns of a GePNIC file that the portal does not provide, in any spelling. */
  allowMissing?: readonly string[];
  /** Store the file even if it empties a field or moves the dates of most stored tenders. */
  acceptMassChange?: boolean;
  /** Store the file even if most of its places lie in another state. */
  acceptState?: boolean;
  /** The sender may send tenders and awards only: a table of PIN codes, which places all tenders, is refused. */
  tendersOnly?: boolean;
  /** Path of the file with the rejected rows. */
  rejects: string | undefined;
}

/** Dependencies of an import; `log` prints progress. */
export interface ImportContext {
  dataSource: DataSource;
  dataDir: string;
  now: Date;
  /** Whether names of winners are stored (AWARD_NAMES); default: they are not. */
  withAwardNames?: boolean;
  log(line: string): void;
  /** Called for each row that is read, with the number of all rows. */
  onProgress?(read: number, all: number): void;
  /** Called for tenders that are stored, or would be; for a known portal without the unchanged ones. */
  onTender?(tender: SourceTender): void;
  /** Gets each rejected row. */
  onReject?(rejection: Rejection): void;
}
