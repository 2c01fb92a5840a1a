/**
 * Splits OCDS JSON of any size into pieces that fit into memory: the releases or records of a package one by one, and
 * the documents around them. JSON lines, consecutive documents and a list of documents are treated alike.
 */
import { pipeline, type Readable } from 'node:stream';
import { Assembler } from 'stream-json/assembler.js';
import type { Token } from 'stream-json/parser.js';
import { withParser } from 'stream-json/utils/with-parser.js';
import { UnreadableFileError } from '../source-tender.ts';

/** Maximum characters and bytes of one release, or of one record. */
const MAX_BUFFERED_BYTES = 32_000_000;
export const ELEMENT_LISTS = ['releases', 'records'];
/** Keys that are skipped, because their lists are long in record packages. */
const SKIPPED_KEYS = ['packages', 'extensions', 'links'];

/**
 * `document` has the keys read so far. The elements of `releases` and `records` are pieces of their own. A piece without
 * an element ends the document.
 */
export interface OcdsPiece {
  document: Record<string, unknown>;
  element?: { list: string; value: unknown };
}

/** Replaces an element that is nested too deep. */
export class TooDeepElement {
  constructor(readonly depth: number) {}
}

/** Maximum depth of a release. The fields of the standard have at most eight levels. */
export const MAX_DEPTH = 100;

/** Yields the pieces in the file's order. Throws UnreadableFileError with the position when the file is not such JSON. */
export class OcdsPieces {
  /** The reader sets it while it holds elements back. Their sizes are then added up for the limit. */
  isBuffering = false;

  private bufferedBytes = 0;
  private elements = 0;
  private lastList = '';
  private state: 'file' | 'array' | 'document' | 'list' = 'file';
  private outerState: 'file' | 'array' = 'file';
  private document: Record<string, unknown> = {};
  private key = '';
  private value: Assembler<unknown> | undefined;
  /** Depth of the current value, and its maximum. */
  private depth = 0;
  private deepest = 0;
  private skippedDepth = 0;

  async *read(input: Readable): AsyncGenerator<OcdsPiece> {
    // The library's types require a flush at the end of every stage; this one has nothing to flush.
    const take = ((token: Token) => this.take(token)) as ReturnType<Parameters<typeof withParser.asStream>[0]>;
    const parser = withParser.asStream(() => take, { jsonStreaming: true, streamValues: false });
    // The loop below receives the errors of all three streams.
    pipeline(
      input,
      (source: AsyncIterable<Buffer>) => this.countBytes(source),
      parser,
      () => {},
    );
    try {
      for await (const piece of parser as AsyncIterable<OcdsPiece>) {
        yield piece;
        if (!this.isBuffering) this.bufferedBytes = 0;
      }
    } catch (error) {
      throw this.toUnreadable(error);
    }
    if (this.state !== 'file') throw new UnreadableFileError(`is truncated: it ends ${this.position()}`);
  }

  private async *countBytes(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      this.bufferedBytes += chunk.length;
      if (this.bufferedBytes > MAX_BUFFERED_BYTES)
        throw new UnreadableFileError(`holds more than 32 MB in one piece ${this.position()}`);
      yield chunk;
    }
  }

  // The parser's errors contain no position and do not show whether the file is truncated. Elements that it had
  // already read from the same chunk are lost, so the position is approximate.
  private toUnreadable(error: unknown): unknown {
    if (!(error instanceof Error) || !error.message.startsWith('Parser ')) return error;
    return new UnreadableFileError(`is truncated or not JSON somewhere ${this.position()}`);
  }

  private position(): string {
    return this.elements === 0 ? 'after its beginning' : `after ${this.lastList.slice(0, -1)} ${this.elements}`;
  }

  private take(token: Token): OcdsPiece | undefined {
    if (this.value) return this.fill(this.value, token);
    if (this.skippedDepth > 0) return this.skip(token);
    if (token.name === 'keyValue') this.key = token.value;
    else if (token.name === 'endObject') return this.endDocument();
    else if (token.name === 'endArray') this.state = this.state === 'list' ? 'document' : 'file';
    else return this.begin(token);
  }

  private begin(token: Token): OcdsPiece | undefined {
    if (this.state === 'file' || this.state === 'array') return this.beginDocument(token);
    if (this.state === 'document' && token.name === 'startArray' && ELEMENT_LISTS.includes(this.key)) {
      this.state = 'list';
      this.lastList = this.key;
      this.document[this.key] = [];
      return;
    }
    if (this.state === 'document' && SKIPPED_KEYS.includes(this.key)) return this.skip(token);
    this.value = new Assembler();
    return this.fill(this.value, token);
  }

  private beginDocument(token: Token): undefined {
    if (token.name === 'startArray' && this.state === 'file') {
      this.state = 'array';
      return;
    }
    if (token.name !== 'startObject')
      throw new UnreadableFileError('is no OCDS: it holds something other than packages, records and releases');
    this.outerState = this.state as 'file' | 'array';
    this.state = 'document';
    this.document = {};
  }

  private endDocument(): OcdsPiece {
    this.state = this.outerState;
    return { document: this.document };
  }

  private fill(value: Assembler<unknown>, token: Token): OcdsPiece | undefined {
    value.consume(token);
    if (token.name === 'startObject' || token.name === 'startArray')
      this.deepest = Math.max(this.deepest, ++this.depth);
    else if (token.name === 'endObject' || token.name === 'endArray') this.depth--;
    if (!value.done) return;
    const { deepest } = this;
    this.value = undefined;
    this.deepest = 0;
    if (this.state !== 'list') {
      this.document[this.key] = value.current;
      return;
    }
    this.elements++;
    const element = deepest > MAX_DEPTH ? new TooDeepElement(deepest) : value.current;
    return { document: this.document, element: { list: this.lastList, value: element } };
  }

  private skip(token: Token): undefined {
    if (token.name === 'startObject' || token.name === 'startArray') this.skippedDepth++;
    else if (token.name === 'endObject' || token.name === 'endArray') this.skippedDepth--;
    if (!this.isBuffering) this.bufferedBytes = 0;
  }
}
