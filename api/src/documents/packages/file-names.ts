/** File names inside a package that every operating system can unpack. */

const MAX_CHARACTERS = 120;
// Windows reserves these names for devices, with any extension.
const RESERVED_WINDOWS_NAMES = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/** The last part of a path as a safe name with its extension; 'file' when nothing is left. */
export function safeFileName(name: string): string {
  const last = name.normalize('NFC').split(/[\\/]/).filter(Boolean).at(-1) ?? '';
  const plain = last
    // Control characters, direction marks, and characters that Windows rejects.
    .replace(/[\p{Cc}\p{Cf}<>:"|?*]/gu, '_')
    .replace(/^[.\s]+|[.\s]+$/g, '')
    .replace(RESERVED_WINDOWS_NAMES, '_$&');
  if (plain === '') return 'file';
  const { stem, extension } = splitFileName(plain);
  return `${[...stem].slice(0, MAX_CHARACTERS - extension.length).join('')}${extension}`;
}

/** Splits 'plan.pdf' into 'plan' and '.pdf'; without a dot the extension is ''. */
export function splitFileName(name: string): { stem: string; extension: string } {
  const extension = /\.[A-Za-z0-9]{1,8}$/.exec(name)?.[0] ?? '';
  return { stem: extension ? name.slice(0, -extension.length) : name, extension };
}

/** Makes names unique: 'plan.pdf', then 'plan (2).pdf'; letter case is ignored, as on most phones. */
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
