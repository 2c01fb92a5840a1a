/** A chosen file with its path, which has the folders that were dragged with it. */
export interface ChosenFile {
  path: string;
  file: File;
}

/** Most files of one choice. One more is read, to know that there are more. */
export const MAX_CHOSEN_FILES = 500;

/** The files of a picker; those of a folder have its path. */
export const readPicked = (files: readonly File[]): ChosenFile[] =>
  files.map((file) => ({ path: file.webkitRelativePath || file.name, file }));

/** The files that were dropped, with those in dropped folders. Files whose names begin with a dot are left out. */
export async function readDropped({ items }: Pick<DataTransfer, 'items'>): Promise<ChosenFile[]> {
  // The items are gone when the event has ended, so their entries are taken first.
  const entries = [...items].flatMap((item) => (item.kind === 'file' ? [item.webkitGetAsEntry?.() ?? null] : []));
  const found: ChosenFile[] = [];
  const read = async (entry: FileSystemEntry | null): Promise<void> => {
    if (!entry || entry.name.startsWith('.') || found.length > MAX_CHOSEN_FILES) return;
    if (entry.isFile) {
      const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
      found.push({ path: entry.fullPath.replace(/^\//, ''), file });
      return;
    }
    const reader = (entry as FileSystemDirectoryEntry).createReader();
    for (;;) {
      // A browser gives at most 100 entries at a time, and none at the end.
      const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
      if (batch.length === 0) return;
      for (const each of batch) await read(each);
    }
  };
  for (const entry of entries) await read(entry);
  return found;
}

/** An id of a GePNIC portal at the beginning of a name, and what separates it from the rest. */
const ID_AT_START = /^(\d{4}_[A-Za-z0-9]+_\d+_\d+)(?:[ _.-]+|$)/;

/**
 * The tender and the name of a file by its path: the id is the name of its folder ('2026_PWD_1_1/Notice.pdf'), as in the
 * folders of the command, or the beginning of its name ('2026_PWD_1_1 Notice.pdf'). Undefined without an id.
 */
export function readFilePath(path: string): { tender: string; name: string } | undefined {
  const parts = path.split('/').filter(Boolean);
  const name = parts.at(-1) ?? '';
  const [start, tender] = ID_AT_START.exec(name.replace(/\.\w+$/, '')) ?? [];
  const folder = parts.at(-2);
  if (start !== undefined && tender !== undefined) {
    const rest = name.slice(start.length);
    return { tender, name: /^\w.*\.\w+$/.test(rest) ? rest : name };
  }
  return folder === undefined ? undefined : { tender: folder, name };
}
