const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** No word that is replaced is longer. */
const MAX_WORD_BYTES = 10;
/** What programs write for numbers that JSON does not have, and for no value. */
const NO_NUMBER = /^[+-]?(?:nan|inf|infinity|none|undefined)$/i;

const isWordByte = (byte: number): boolean =>
  (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a) || byte === 0x2b || byte === 0x2d;

/** The bytes of JSON with null instead of NaN, Infinity and their kin outside of its texts. */
export async function* numberWordsToNull(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let isText = false;
  let isEscaped = false;
  /** A word that may go on in the next chunk. */
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
