import { indianDay } from '@nivida/contract/format';
import { dayText } from '@nivida/contract/time';
import { api } from '../../data/server/api.ts';
import { saveFile } from '../../ui/save-file.ts';

export type ExportFormat = 'json' | 'csv';

/** 'nivida-my-data-2026-11-21.json'; the day is Indian. */
export function exportFileName(format: ExportFormat, now: Date): string {
  return `nivida-my-data-${dayText(indianDay(now))}.${format}`;
}

/** Loads all data that the server stores about the user and saves it as a file. */
export async function exportData(format: ExportFormat, now: Date): Promise<void> {
  const searchParams = format === 'csv' ? { format } : {};
  saveFile(exportFileName(format, now), await api.get('api/me/export', { searchParams }).blob());
}
