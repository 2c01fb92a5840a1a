/** Values that portals choose from their lists. The data keep the portal's words; screens show them by `portalValueLabel`. */
import { inPresentLanguage } from '../i18n.ts';

/** The values with a text in other languages, for `npm run texts`: each is its own key. Others are shown as published. */
export const PORTAL_VALUES: readonly string[] = [
  // Categories
  /*i18n*/ 'Works',
  /*i18n*/ 'Goods',
  /*i18n*/ 'Services',
  // Types of tenders
  /*i18n*/ 'Open Tender',
  /*i18n*/ 'Limited',
  /*i18n*/ 'Single',
  /*i18n*/ 'Open Limited',
  /*i18n*/ 'Global Tenders',
  // Forms of contract
  /*i18n*/ 'Percentage',
  /*i18n*/ 'Item Rate',
  /*i18n*/ 'Item Wise',
  /*i18n*/ 'Turn-key',
  /*i18n*/ 'Lump-sum',
  /*i18n*/ 'Supply',
  /*i18n*/ 'Tender cum Auction',
  /*i18n*/ 'Empanelment',
  /*i18n*/ 'Fixed-rate',
  /*i18n*/ 'Piece-work',
  /*i18n*/ 'Buy',
  // Categories of products
  /*i18n*/ 'Civil Works',
  // Portals write both dashes.
  /*i18n*/ 'Civil Works - Roads',
  /*i18n*/ 'Civil Works – Roads',
  /*i18n*/ 'Civil Works - Highways',
  /*i18n*/ 'Civil Works – Highways',
  /*i18n*/ 'Civil Works - Bridges',
  /*i18n*/ 'Civil Works - Building',
  /*i18n*/ 'Civil Works - Buildings',
  /*i18n*/ 'Civil Works - Water Works',
  /*i18n*/ 'Civil Works - Others',
  /*i18n*/ 'Electrical Works',
  /*i18n*/ 'Roads and Bridges',
  /*i18n*/ 'Water Works',
  /*i18n*/ 'Municipal Works',
  /*i18n*/ 'Rural Works',
  /*i18n*/ 'Construction Works',
  /*i18n*/ 'Composite Works',
  /*i18n*/ 'Pipe Laying Works',
  /*i18n*/ 'Repair and Maintenance Works',
  /*i18n*/ 'Repair and Maintenance Services',
  /*i18n*/ 'Miscellaneous Works',
  /*i18n*/ 'Miscellaneous Services',
  /*i18n*/ 'Miscellaneous Goods',
  /*i18n*/ 'Civil Construction Goods',
  /*i18n*/ 'Supply and Erection',
  /*i18n*/ 'Supply of Materials',
  /*i18n*/ 'Manpower Supply',
  /*i18n*/ 'Consultancy',
  /*i18n*/ 'Information Technology',
  // Covers of documents
  /*i18n*/ 'Fee/PreQual/Technical',
  /*i18n*/ 'Fee/PreQual/Technical/Finance',
  /*i18n*/ 'PreQual/Technical',
  /*i18n*/ 'Fee',
  /*i18n*/ 'PreQual',
  /*i18n*/ 'Technical',
  /*i18n*/ 'Finance',
  // Titles that the import gives to changes without a title
  /*i18n*/ 'Corrected by Nivida',
  /*i18n*/ 'Details corrected',
  /*i18n*/ 'Closing date changed',
  /*i18n*/ 'Opening date changed',
  /*i18n*/ 'Bid start changed',
  /*i18n*/ 'Estimated value changed',
  /*i18n*/ 'EMD changed',
  /*i18n*/ 'Documents changed',
];

/** A portal's value in the present language. */
export const portalValueLabel = (value: string): string => inPresentLanguage(value);
