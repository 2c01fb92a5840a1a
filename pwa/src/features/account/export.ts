import { api } from '../../data/server/api.ts';
import { saveFile } from '../../ui/save-file.ts';

/** The kinds of file in which one's data can be had. */
export type ExportFormat = 'json' | 'csv';

/** 'nivida-my-data-2026-11-21.json', by the Indian calendar. */
export function exportFileName(format: ExportFormat, now: Date): string {
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Kolkata' }).format(now);
  return `nivida-my-data-${day}.${format}`;
}

/** Fetches everything that the server keeps about the user and hands it to the device as a file. */
export async function exportData(format: ExportFormat, now: Date): Promise<void> {
  const searchParams = format === 'csv' ? { format } : {};
  saveFile(exportFileName(format, now), await api.get('api/me/export', { searchParams }).blob());
}
