/** The usual names of the columns of a GePNIC notice file. */

/** A row without these is not a tender. */
export const REQUIRED_COLUMNS = [
  'Tender ID',
  'Title',
  'Organisation Chain',
  'Publish Date',
  'Bid Submission End Date',
] as const;

/** Columns that every portal's file has. If one is missing, the import would empty the field in every tender. */
export const EXPECTED_COLUMNS = [
  'Tender Reference Number',
  'Work Description',
  'Name',
  'Address',
  'Location',
  'Pincode',
  'Tender Category',
  'Product Category',
  'Tender Type',
  'Form of contract',
  'Tender Value in ₹',
  'EMD Amount in ₹',
  'EMD Percentage',
  'EMD Exemption Allowed',
  'Tender Fee in ₹',
  'No. of Covers',
  'Period Of Work(Days)',
  'Bid Validity(Days)',
  'Bid Submission Start Date',
  'Bid Opening Date',
  'Bid Opening Place',
  'Pre Bid Meeting Date',
  'Pre Bid Meeting Place',
  'Tender Stage',
  'Corrigendum Title',
  'Corrigendum Type',
  'Revocation Title',
  'Cover Documents',
] as const;

/** Optional columns. */
export const EXTRA_COLUMNS = ['Document Download / Sale Start Date', 'Contract Date', 'State', 'Quantity'] as const;

export const KNOWN_COLUMNS = [...REQUIRED_COLUMNS, ...EXPECTED_COLUMNS, ...EXTRA_COLUMNS] as const;

/** A known column by its usual name. */
export type GepnicColumn = (typeof KNOWN_COLUMNS)[number];
