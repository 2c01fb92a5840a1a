/** A tender of a source, normalised. The readers create it and the ingest run stores it. */

import type { FileKind } from '@nivida/contract/orders/document-package';
import type { TenderStage } from '@nivida/contract/tenders/status';
import { CONTRADICTION_TYPE } from '@nivida/contract/tenders/tender';
import type { LaterFieldKey, TenderFieldValues } from '@nivida/contract/tenders/tender-fields';
import type { ListedDocument } from '../tenders/tender.entity.ts';

type SourceFields = Omit<TenderFieldValues, 'emdPercent' | LaterFieldKey> &
  Partial<Pick<TenderFieldValues, LaterFieldKey>>;

/** Money is in rupees with two decimals as text ('133740.00'); empty values are null. */
export interface SourceTender extends SourceFields {
  /** Percent with two decimals as text. */
  emdPercent: string | null;
  /** A designation only, never a person's name. */
  contactDesignation: string | null;
  portal: string;
  sourceId: string;
  /** Listed name of the state. */
  state: string;
  title: string;
  description: string;
  reference: string | null;
  /** Works with the same key belong to one NIT. */
  nitKey: string | null;
  /** Organisation first, then its offices. */
  organisationChain: string[];
  category: string | null;
  price: string | null;
  /** An estimate in a currency other than rupees, as text. `price` is then null. */
  priceText: string | null;
  emd: string | null;
  publishedAt: Date;
  /** Set when `publishedAt` is derived from other dates. It does not replace an earlier stored date. */
  isPublishedInferred?: true;
  bidStartAt: Date | null;
  closesAt: Date;
  closingTimeKnown: boolean;
  opensAt: Date | null;
  preBidAt: Date | null;
  documents: ListedDocument[];
  /** Corrigenda that the source names without their changes. */
  corrigenda: { title: string; type: string | null }[];
  stage: TenderStage;
  /** Set when the source has no stage. A stored stage is then kept. */
  isStageUnstated?: true;
  /** Set when the source is a list without most fields of a notice. It fills what is stored and empties nothing. */
  isListed?: true;
  /** Official files that can be fetched; absent when the source has no addresses. */
  files?: OfficialFile[];
  /** Lines of the bill of quantities; absent when the source has none. */
  boq?: BoqLine[];
}

/** The unique key of a tender, for maps. */
export const sourceTenderKey = ({ portal, sourceId }: Pick<SourceTender, 'portal' | 'sourceId'>) =>
  `${portal}\u0000${sourceId}`;

/** A file of the portal with its unchecked address. */
export interface OfficialFile {
  name: string;
  /** The kind that the portal states, else derived from the file name. */
  kind: FileKind;
  url: string;
}

/** `quantity` as a decimal number in text. */
export interface BoqLine {
  description: string;
  quantity: string | null;
  unit: string | null;
}

/** The corrigendum entry for a publishing date that contradicts the source's earlier one. */
export function contradictionEntry(title: string): SourceTender['corrigenda'][number] {
  return { title, type: CONTRADICTION_TYPE };
}

/** The reason why a row was rejected; `line` counts from 1 (JSON: the n-th release or record). */
export interface Rejection {
  line: number;
  column: string;
  value: string;
  reason: string;
}

const MAX_VALUE_CHARACTERS = 200;

/** The rejection of a row for a value; a long value is cut. */
export function toRejection({ column, value, message }: InvalidValueError, line: number): Rejection {
  return { line, column, value: value.slice(0, MAX_VALUE_CHARACTERS).toWellFormed(), reason: message };
}

/**
 * One row of a source: a source tender or a rejection. `warnings` name the cells that could not be read and are empty in
 * the tender (cell-warnings.ts).
 */
export type SourceRow =
  | ({ line: number; tender: SourceTender; warnings?: Rejection[] } & Stated)
  | { line: number; rejection: Rejection; warnings?: Rejection[]; statement?: Statement };

/** A row without a tender of its own. 'merged': it is stored with a later row of its process. 'waiting': it waits for a release with its tender. */
export type KeptRow = { line: number; warnings?: Rejection[]; statement?: Statement } & (
  | { kept: 'merged' }
  | { kept: 'waiting'; example: string }
);

/** The stored releases of a process (ocds/release-history.ts). */
export interface Statement {
  portal: string;
  sourceId: string;
  releases: object[];
}

/** The cells of the row of a table from which a source tender is made (gepnic/source-cells.ts). */
export interface SourceCells {
  /** Names as a JSON list of texts. */
  readonly columns: { readonly names: string; readonly digest: string };
  readonly line: number;
  /** A JSON list of texts, in the order of the columns. */
  readonly json: string;
  /** An equal digest means equal columns and cells. */
  readonly digest: string;
}

/**
 * Additions to a source tender. `earlier`: its form before later releases changed it. `statement`: releases to store with
 * it. `cells`: the row of its table.
 */
export interface Stated {
  earlier?: SourceTender;
  statement?: Statement;
  cells?: SourceCells;
}

/** Thrown by the normalisers for an invalid value of a column. */
export class InvalidValueError extends Error {
  constructor(
    readonly column: string,
    readonly value: string,
    reason: string,
  ) {
    super(reason);
    this.name = 'InvalidValueError';
  }
}

/** Thrown for cells that contradict each other. It rejects the whole row, not only the field. */
export class ContradictionError extends InvalidValueError {
  override name = 'ContradictionError';
}

/** Thrown when the whole file is unreadable; nothing was stored. */
export class UnreadableFileError extends Error {
  override name = 'UnreadableFileError';
}

/** Thrown when a readable file waits for the operator's decision; nothing was stored. */
export class HeldBackFileError extends UnreadableFileError {
  constructor(
    message: string,
    /** What the operator may accept; 'columns': a mapping for other columns; 'file': only another file helps. */
    readonly decision: 'mass-change' | 'state' | 'columns' | 'file' = 'file',
  ) {
    super(message);
  }
}
