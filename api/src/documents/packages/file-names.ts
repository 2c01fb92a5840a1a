/** Names of files inside a package: whatever a portal or an operator called a file, it can be unpacked anywhere. */

const MAX_CHARACTERS = 120;
// Windows opens devices by these names, whatever stands after the dot.
const RESERVED_WINDOWS_NAMES = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/** The last part of a path as one safe name, its extension kept; 'file' for what holds none. */
export function safeFileName(name: string): string {
  const last = name.normalize('NFC').split(/[\\/]/).filter(Boolean).at(-1) ?? '';
  const plain = last
    // Control characters, those that turn the direction of reading, and what Windows refuses.
    .replace(/[\p{Cc}\p{Cf}<>:"|?*]/gu, '_')
    .replace(/^[.\s]+|[.\s]+$/g, '')
    .replace(RESERVED_WINDOWS_NAMES, '_$&');
  if (plain === '') return 'file';
  const { stem, extension } = splitFileName(plain);
  return `${[...stem].slice(0, MAX_CHARACTERS - extension.length).join('')}${extension}`;
}

/** 'plan' and '.pdf'; without a dot the extension is ''. */
export function splitFileName(name: string): { stem: string; extension: string } {
  const extension = /\.[A-Za-z0-9]{1,8}$/.exec(name)?.[0] ?? '';
  return { stem: extension ? name.slice(0, -extension.length) : name, extension };
}

/** Gives each name once: 'plan.pdf', then 'plan (2).pdf'; capitals make no difference, as on most phones. */
export class UniqueFileNames {
  private readonly taken = new Set<string>();

  reserve(folder: string, name: string): string {
    const { stem, extension } = splitFileName(name);
    for (let copy = 1; ; copy++) {
      const candidate = `${folder}${copy === 1 ? name : `${stem} (${copy})${extension}`}`;
      if (this.taken.has(candidate.toLowerCase())) continue;
      this.taken.add(candidate.toLowerCase());
      return candidate;
    }
  }
}
