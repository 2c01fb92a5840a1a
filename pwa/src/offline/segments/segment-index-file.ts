/**
 * The layout of a segment index in one ArrayBuffer: a header, a JSON directory, then typed arrays at multiples of 8 bytes.
 * IndexedDB stores the buffer as it is, and opening it copies nothing. Numbers are little-endian.
 */

const MAGIC = 0x4b50564e; // 'NVPK'
const VERSION = 1;
/** Eight words: magic, version, total bytes, checksum, bytes of the directory, and three reserved words. */
const HEADER_BYTES = 32;
/** The checksum covers all words from this one on. */
const CHECKSUM_START = 4;
/** The checksum reads four words at once, so the file size is a multiple of this. */
const BLOCK_BYTES = 16;
const FNV_PRIME = 0x01000193;

const SECTION_KINDS = { Uint8Array, Uint16Array, Uint32Array, Int32Array, Float64Array } as const;
type SectionKind = keyof typeof SECTION_KINDS;

export type Section = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array;

/** The facts in the directory. */
interface SegmentIndexHeader {
  rows: number;
  /** False while the index has list fields only. */
  hasDetails: boolean;
  /**
   * States, districts, departments, categories, stages and portals. The code of a name is its place here;
   * code 0 is null.
   */
  names: string[];
  /** `INDEX_TERMS_VERSION` of the app that built the index. */
  termsVersion: number;
}

interface FileDirectory extends SegmentIndexHeader {
  sections: Record<string, { kind: SectionKind; at: number; length: number }>;
}

/** The buffer is not a segment index, or was truncated or changed. Do not show any of it; fetch it again. */
export class CorruptSegmentIndexError extends Error {
  override name = 'CorruptSegmentIndexError';
  /** The number of the engine's index from 0, or 'delta'; null until the engine sets it. */
  part: number | 'delta' | null = null;
}

const roundUpToBlock = (bytes: number, block: number): number => Math.ceil(bytes / block) * block;

/**
 * Detects every change of a single word and nearly all other changes. Four lanes run in parallel on a fast
 * processor.
 */
function checksum(words: Uint32Array): number {
  let [first, second, third, fourth] = [1, 2, 3, 4];
  for (let at = CHECKSUM_START; at < words.length; at += 4) {
    first = Math.imul(first ^ (words[at] as number), FNV_PRIME);
    second = Math.imul(second ^ (words[at + 1] as number), FNV_PRIME);
    third = Math.imul(third ^ (words[at + 2] as number), FNV_PRIME);
    fourth = Math.imul(fourth ^ (words[at + 3] as number), FNV_PRIME);
  }
  return (first ^ Math.imul(second, 3) ^ Math.imul(third, 5) ^ Math.imul(fourth, 7)) >>> 0;
}

/** Writes an index: its facts, then its typed arrays by name. */
export function writeSegmentIndex(facts: SegmentIndexHeader, sections: Record<string, Section>): ArrayBuffer {
  const directory: FileDirectory = { ...facts, sections: {} };
  let end = 0;
  for (const [name, section] of Object.entries(sections)) {
    directory.sections[name] = { kind: section.constructor.name as SectionKind, at: end, length: section.length };
    end = roundUpToBlock(end + section.byteLength, 8);
  }
  const text = new TextEncoder().encode(JSON.stringify(directory));
  const start = roundUpToBlock(HEADER_BYTES + text.length, 8);
  const buffer = new ArrayBuffer(roundUpToBlock(start + end, BLOCK_BYTES));
  const bytes = new Uint8Array(buffer);
  bytes.set(text, HEADER_BYTES);
  for (const [name, section] of Object.entries(sections)) {
    const at = start + (directory.sections[name]?.at ?? 0);
    bytes.set(new Uint8Array(section.buffer, section.byteOffset, section.byteLength), at);
  }
  const words = new Uint32Array(buffer);
  words[4] = text.length;
  words.set([MAGIC, VERSION, buffer.byteLength, checksum(words)]);
  return buffer;
}

/** Checks the buffer and returns views into it. Throws CorruptSegmentIndexError unless `writeSegmentIndex` wrote it. */
export function readSegmentIndex(buffer: ArrayBuffer): {
  facts: SegmentIndexHeader;
  sections: Record<string, Section>;
} {
  if (buffer.byteLength < HEADER_BYTES || buffer.byteLength % BLOCK_BYTES !== 0)
    throw new CorruptSegmentIndexError(`A pack cannot have ${buffer.byteLength} bytes`);
  const words = new Uint32Array(buffer);
  const [magic, version, bytes, sum, directoryBytes = 0] = words;
  if (magic !== MAGIC) throw new CorruptSegmentIndexError('This is no pack of tenders');
  if (version !== VERSION) throw new CorruptSegmentIndexError(`A pack of version ${version} cannot be read`);
  if (bytes !== buffer.byteLength)
    throw new CorruptSegmentIndexError(`A pack of ${bytes} bytes has only ${buffer.byteLength} of them`);
  if (sum !== checksum(words)) throw new CorruptSegmentIndexError('A pack is not as it was written');
  const text = new TextDecoder().decode(new Uint8Array(buffer, HEADER_BYTES, directoryBytes));
  const { sections, ...facts }: FileDirectory = JSON.parse(text);
  const start = roundUpToBlock(HEADER_BYTES + directoryBytes, 8);
  const views = Object.entries(sections).map(
    ([name, { kind, at, length }]) => [name, new SECTION_KINDS[kind](buffer, start + at, length)] as const,
  );
  return { facts, sections: Object.fromEntries(views) };
}
