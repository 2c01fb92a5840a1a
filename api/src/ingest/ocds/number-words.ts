const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Length of the longest word that is replaced. */
const MAX_WORD_BYTES = 10;
/** Words that some programs write for a missing number, or for one that JSON cannot express. */
const NO_NUMBER = /^[+-]?(?:nan|inf|infinity|none|undefined)$/i;

const isWordByte = (byte: number): boolean =>
  (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a) || byte === 0x2b || byte === 0x2d;

/** Replaces NaN, Infinity and similar words by null in the bytes of JSON. Words inside strings stay. */
export async function* numberWordsToNull(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let isText = false;
  let isEscaped = false;
  /** A word that may continue in the next chunk. */
  let word = '';
  const endWord = () => {
    const bytes = Buffer.from(NO_NUMBER.test(word) ? 'null' : word);
    word = '';
    return bytes;
  };
  for await (const chunk of source) {
    const parts: Buffer[] = [];
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number;
      if (isText) {
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) isText = false;
      } else if (isWordByte(byte)) {
        if (word === '') parts.push(chunk.subarray(from, at));
        word += String.fromCharCode(byte);
        from = at + 1;
        if (word.length > MAX_WORD_BYTES) parts.push(endWord());
      } else {
        if (word !== '') parts.push(endWord());
        isText = byte === QUOTE;
      }
    }
    parts.push(chunk.subarray(from));
    yield Buffer.concat(parts);
  }
  if (word !== '') yield endWord();
}
