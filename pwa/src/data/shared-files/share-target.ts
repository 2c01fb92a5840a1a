/** The share target of the manifest. */

/** The address, with or without a language. */
export const SHARE_PATH = /^(?<root>(?:\/[a-z]{2})?)\/share$/;

export const isShareTarget = (method: string, pathname: string): boolean =>
  method === 'POST' && SHARE_PATH.test(pathname);

/** The form's field with the files. */
export const SHARED_FILES_FIELD = 'files';

/** The files that the operating system may open with the app, with their endings. */
export const OPENED_FILE_TYPES = {
  'application/pdf': ['.pdf'],
  'application/vnd.ms-excel': ['.xls'],
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['.xlsx'],
  'text/csv': ['.csv'],
};

/** What the share sheet offers for: documents to be read, and pictures of documents for the vault. */
export const SHARED_FILE_TYPES = [
  ...['application/pdf', '.pdf'],
  ...['application/vnd.ms-excel', '.xls', 'application/vnd.ms-excel.sheet.macroEnabled.12', '.xlsm'],
  ...['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', '.xlsx'],
  ...['image/jpeg', 'image/png', 'image/webp'],
];
