import { describe, expect, test } from 'vitest';
import {
  fileKindFromName,
  isBidderUpload,
  packageCoverageText,
  packageKindLabel,
  sellablePackage,
} from './document-package.ts';

test.each([
  ['Tendernotice_1.pdf', 'nit'],
  ['NIT 12.pdf', 'nit'],
  ['nit.pdf', 'nit'],
  ['Finite elements.pdf', 'other'],
  ['BOQ_12345.xls', 'boq'],
  ['12 boq.xls', 'boq'],
  ['Bill of Quantities.pdf', 'boq'],
  ['bills_of_quantity.pdf', 'boq'],
  // A bill of quantities that names its notice.
  ['BOQ of NIT 12.xls', 'boq'],
  ['boqueria.pdf', 'other'],
  ['Drawing.pdf', 'other'],
])('a file called %s is of the kind %s', (name, kind) => {
  expect(fileKindFromName(name)).toBe(kind);
});

test.each([
  ['Fee/PreQual/Technical', true],
  ['Finance', true],
  ['biddingDocuments', false],
  ['tenderNotice', false],
  ['', false],
])('a document listed under "%s" is uploaded by the bidder: %s', (cover, isUpload) => {
  expect(isBidderUpload({ cover })).toBe(isUpload);
});

describe('the package of a tender', () => {
  const attached = { kind: 'nit', works: 2 } as const;

  test('is generated for a generated tender, else that of the attached files', () => {
    const tender = { source_portal: 'hptenders', nit_works: 3, document_package: null };
    expect(sellablePackage({ ...tender, document_package: attached })).toEqual(attached);
    expect(sellablePackage(tender)).toBeNull();
    expect(sellablePackage({ ...tender, source_portal: 'demo' })).toEqual({ kind: 'nit-boq', works: 3 });
  });

  test.each([
    [1, 1, 'The document package'],
    [3, 3, 'One package for all works of this NIT'],
    [4, 3, 'One package for all works of this NIT'],
    [2, 3, 'Covers 2 of the 3 works of this NIT, this one included'],
  ])('with %i of %i works is described as "%s"', (works, nitWorks, text) => {
    expect(packageCoverageText({ kind: 'nit', works }, nitWorks)).toBe(text);
  });

  test('is called by its content', () => {
    expect(['nit', 'nit-boq'].map((kind) => packageKindLabel(kind as 'nit'))).toEqual(['NIT', 'NIT & BOQ']);
  });
});
