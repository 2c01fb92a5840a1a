/**
 * Cuts OCDS JSON of any size into pieces that fit into memory: the releases or records of a package one by one, and
 * the documents around them. JSON lines, documents one after the other and a list of documents are all the same here.
 */
import { pipeline, type Readable } from 'node:stream';
import { Assembler } from 'stream-json/assembler.js';
import type { Token } from 'stream-json/parser.js';
import { withParser } from 'stream-json/utils/with-parser.js';
import { UnreadableFile } from './notice.ts';

/** Characters and bytes of one release, or of all that a record holds: more is no tender. */
const MAX_HELD_BYTES = 32_000_000;
export const LISTS = ['releases', 'records'];
/** Long in record packages and never read. */
const SKIPPED = ['packages', 'extensions', 'links'];

/**
 * `document` holds the keys that were read so far, without the elements of `releases` and `records`: those are pieces
 * of their own, and the piece without an element ends the document.
 */
export interface Piece {
  document: Record<string, unknown>;
  element?: { list: string; value: unknown };
}

/** Stands for an element that is nested deeper than any release. */
export class TooDeep {
  constructor(readonly depth: number) {}
}

/** Deeper than this is no release: the standard's own fields end at eight. */
export const MAX_DEPTH = 100;

/** Yields the pieces in the file's order; throws UnreadableFile with the place when the file is no such JSON. */
export class OcdsPieces {
  /** Set by the reader while it keeps elements back, so that they count together. */
  isHolding = false;

  private heldBytes = 0;
  private elements = 0;
  private lastList = '';
  private at: 'file' | 'array' | 'document' | 'list' = 'file';
  private outside: 'file' | 'array' = 'file';
  private document: Record<string, unknown> = {};
  private key = '';
  private value: Assembler<unknown> | undefined;
  /** Of the value at hand: where it is, and where it was deepest. */
  private depth = 0;
  private deepest = 0;
  private skippedDepth = 0;

  async *read(input: Readable): AsyncGenerator<Piece> {
    // Its types want every stage to have something to flush at the end; this one has not.
    const take = ((token: Token) => this.take(token)) as ReturnType<Parameters<typeof withParser.asStream>[0]>;
    const parser = withParser.asStream(() => take, { jsonStreaming: true, streamValues: false });
    // The loop below gets the errors of all three.
    pipeline(
      input,
      (source: AsyncIterable<Buffer>) => this.counted(source),
      parser,
      () => {},
    );
    try {
      for await (const piece of parser as AsyncIterable<Piece>) {
        yield piece;
        if (!this.isHolding) this.heldBytes = 0;
      }
    } catch (error) {
      throw this.toUnreadable(error);
    }
    if (this.at !== 'file') throw new UnreadableFile(`is truncated: it ends ${this.place()}`);
  }

  private async *counted(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      this.heldBytes += chunk.length;
      if (this.heldBytes > MAX_HELD_BYTES)
        throw new UnreadableFile(`holds more than 32 MB in one piece ${this.place()}`);
      yield chunk;
    }
  }

  // The parser's own errors say neither where they are nor whether the file merely ends too early, and what it had
  // already read of the same chunk is lost with them: hence 'somewhere'.
  private toUnreadable(error: unknown): unknown {
    if (!(error instanceof Error) || !error.message.startsWith('Parser ')) return error;
    return new UnreadableFile(`is truncated or not JSON somewhere ${this.place()}`);
  }

  private place(): string {
    return this.elements === 0 ? 'after its beginning' : `after ${this.lastList.slice(0, -1)} ${this.elements}`;
  }

  private take(token: Token): Piece | undefined {
    if (this.value) return this.fill(this.value, token);
    if (this.skippedDepth > 0) return this.skip(token);
    if (token.name === 'keyValue') this.key = token.value;
    else if (token.name === 'endObject') return this.endDocument();
    else if (token.name === 'endArray') this.at = this.at === 'list' ? 'document' : 'file';
    else return this.begin(token);
  }

  private begin(token: Token): Piece | undefined {
    if (this.at === 'file' || this.at === 'array') return this.beginDocument(token);
    if (this.at === 'document' && token.name === 'startArray' && LISTS.includes(this.key)) {
      this.at = 'list';
      this.lastList = this.key;
      this.document[this.key] = [];
      return;
    }
    if (this.at === 'document' && SKIPPED.includes(this.key)) return this.skip(token);
    this.value = new Assembler();
    return this.fill(this.value, token);
  }

  private beginDocument(token: Token): undefined {
    if (token.name === 'startArray' && this.at === 'file') {
      this.at = 'array';
      return;
    }
    if (token.name !== 'startObject')
      throw new UnreadableFile('is no OCDS: it holds something else than packages, records and releases');
    this.outside = this.at as 'file' | 'array';
    this.at = 'document';
    this.document = {};
  }

  private endDocument(): Piece {
    this.at = this.outside;
    return { document: this.document };
  }

  private fill(value: Assembler<unknown>, token: Token): Piece | undefined {
    value.consume(token);
    if (token.name === 'startObject' || token.name === 'startArray')
      this.deepest = Math.max(this.deepest, ++this.depth);
    else if (token.name === 'endObject' || token.name === 'endArray') this.depth--;
    if (!value.done) return;
    const { deepest } = this;
    this.value = undefined;
    this.deepest = 0;
    if (this.at !== 'list') {
      this.document[this.key] = value.current;
      return;
    }
    this.elements++;
    const held = deepest > MAX_DEPTH ? new TooDeep(deepest) : value.current;
    return { document: this.document, element: { list: this.lastList, value: held } };
  }

  private skip(token: Token): undefined {
    if (token.name === 'startObject' || token.name === 'startArray') this.skippedDepth++;
    else if (token.name === 'endObject' || token.name === 'endArray') this.skippedDepth--;
    if (!this.isHolding) this.heldBytes = 0;
  }
}
