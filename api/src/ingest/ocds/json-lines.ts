/** JSON lines: one document per line. An unreadable line rejects only that line. */
import { Readable } from 'node:stream';
import { UnreadableFileError } from '../source-tender.ts';

/** The second line begins within this many bytes; otherwise the file is read as one stream of JSON. */
const MAX_FIRST_BYTES = 4_000_000;
const MAX_LINE_BYTES = 32_000_000;
const LINE_FEED = 0x0a;

/** One line that is not blank; `document` is undefined when it is not JSON. `number` counts from 1. */
export interface JsonLine {
  number: number;
  text: string;
  document: unknown;
}

/** Whether a file contains JSON lines, and a stream of all its bytes. */
export async function detectJsonLines(input: Readable): Promise<{ isLines: boolean; input: Readable }> {
  const chunks = input[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const taken: Buffer[] = [];
  let bytes = 0;
  let isLines: boolean | undefined;
  while (isLines === undefined && bytes < MAX_FIRST_BYTES) {
    const { done, value } = await chunks.next();
    if (done) break;
    taken.push(value);
    bytes += value.length;
    if (value.includes(LINE_FEED) || taken.some((chunk) => chunk.includes(LINE_FEED)))
      isLines = isJsonLines(Buffer.concat(taken).toString());
  }
  async function* all() {
    yield* taken;
    yield* { [Symbol.asyncIterator]: () => chunks };
  }
  return { isLines: isLines ?? false, input: Readable.from(all(), { objectMode: false }) };
}

/** Undefined until the second line has begun. */
function isJsonLines(start: string): boolean | undefined {
  const [first = '', ...others] = start
    .replace(/^\ufeff/, '')
    .trimStart()
    .split('\n');
  const second = others.find((line) => line.trim() !== '')?.trimStart();
  if (second === undefined) return undefined;
  return first.startsWith('{') && first.trimEnd().endsWith('}') && second.startsWith('{');
}

/** Yields the lines; throws UnreadableFileError for a truncated last line. */
export async function* readJsonLines(input: Readable): AsyncGenerator<JsonLine> {
  let number = 0;
  let rest: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of input as AsyncIterable<Buffer>) {
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
      const text = Buffer.concat([...rest, chunk.subarray(from, end)]).toString();
      number++;
      rest = [];
      bytes = 0;
      from = end + 1;
      if (text.trim() !== '') yield { number, text, document: parseJson(text) };
    }
    rest.push(chunk.subarray(from));
    bytes += chunk.length - from;
    if (bytes > MAX_LINE_BYTES) throw new UnreadableFileError(`holds more than 32 MB in line ${number + 1}`);
  }
  const text = Buffer.concat(rest).toString();
  if (text.trim() === '') return;
  const document = parseJson(text);
  if (document === undefined) throw new UnreadableFileError(`is truncated: its last line, ${number + 1}, is not JSON`);
  yield { number: number + 1, text, document };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
}
