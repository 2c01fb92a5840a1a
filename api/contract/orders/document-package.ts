/** The document package of a tender. It imports no schema library, because screens need it before the first paint. */

import { t } from '@lingui/core/macro';

export const PACKAGE_KINDS = ['nit', 'nit-boq'] as const;
/** The kinds of a package. */
export type PackageKind = (typeof PACKAGE_KINDS)[number];

/** The package of one tender. `works` is the number of published works of its notice that the package covers. */
export interface PackageContents {
  kind: PackageKind;
  works: number;
}

interface PackagedTender {
  document_package: PackageContents | null;
  source_portal: string;
  nit_works: number;
}

/** The portal of generated tenders. */
export const GENERATED_PORTAL = 'demo';

/**
 * The package of a tender; null when none can be sold. A generated tender has a generated package. A rebased real tender
 * has none until its files are attached.
 */
export function sellablePackage(tender: PackagedTender): PackageContents | null {
  if (tender.source_portal === GENERATED_PORTAL) return { kind: 'nit-boq', works: tender.nit_works };
  return tender.document_package;
}

/** Label of a package: 'NIT & BOQ' (SPEC section 4) or 'NIT'. */
export const packageKindLabel = (kind: PackageKind): string => (kind === 'nit' ? 'NIT' : 'NIT & BOQ');

/** The works of the notice that the package covers. */
export function packageCoverageText({ works }: PackageContents, nitWorks: number): string {
  if (nitWorks <= 1) return t`The document package`;
  if (works >= nitWorks) return t`One package for all works of this NIT`;
  return t`Covers ${works} of the ${nitWorks} works of this NIT, this one included`;
}

/** The notice inviting tenders, the bill of quantities, or any other file of the portal. */
export const FILE_KINDS = ['nit', 'boq', 'other'] as const;
export type FileKind = (typeof FILE_KINDS)[number];

const BOQ_FILE_NAME = /(?:^|[^a-z])boq(?:[^a-z]|$)|bills?[ _-]*of[ _-]*quantit/i;
const NIT_FILE_NAME = /(?:^|[^a-z])nit(?:[^a-z]|$)|notice/i;

/** The kind of a file by the portals' names: Tendernotice_1.pdf, BOQ_12345.xls. */
export function fileKindFromName(name: string): FileKind {
  if (BOQ_FILE_NAME.test(name)) return 'boq';
  return NIT_FILE_NAME.test(name) ? 'nit' : 'other';
}

/**
 * Whether the bidder uploads this document. GePNIC lists such documents by cover ('Fee/PreQual/Technical', 'Finance').
 * OCDS lists the portal's files, whose type begins with a small letter ('biddingDocuments') or is missing.
 */
export const isBidderUpload = ({ cover }: { cover: string }): boolean => /^[^a-z]/.test(cover);
