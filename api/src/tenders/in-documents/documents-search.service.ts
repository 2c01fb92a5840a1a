import { Inject, Injectable } from '@nestjs/common';
import type { BoqItem } from '@nivida/contract/documents/boq';
import type { DocumentHitPlace } from '@nivida/contract/documents/document-hits';
import { boqSearchTexts, documentSnippet } from '@nivida/contract/documents/find-in-documents';
import type { TenderQuery } from '@nivida/contract/filter/tender-query';
import { toSearchedWords } from '@nivida/contract/search/query-words';
import type { SearchedWord } from '@nivida/contract/tenders/tender';
import { CLOCK } from '../../base/injection-tokens.ts';
import { ReplicaReader } from '../../database/replica-reader.ts';
import { explainTimeout, TendersService } from '../tenders.service.ts';
import { documentHitsStatement, summariesStatement } from '../tenders.sql.ts';
import { TEXTS_OF_HITS } from './document-texts.sql.ts';

interface FoundPart {
  id: number;
  readingId: string;
  part: number;
}

interface HitText {
  file: string;
  part: number;
  /** The page of a PDF. */
  text: string | null;
  /** The items of a workbook; null for a PDF. */
  items: BoqItem[] | null;
}

/** Searches what was read in official documents. */
@Injectable()
export class DocumentsSearchService {
  constructor(
    private readonly tenders: TendersService,
    private readonly reader: ReplicaReader,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** The tenders of a filter of which a document has the words and whose own fields have not, as the JSON of DocumentHits. */
  find(query: TenderQuery): Promise<string> {
    return this.read(query).catch(explainTimeout);
  }

  private async read(query: TenderQuery): Promise<string> {
    const now = this.now();
    const filter = query.q === '' ? null : await this.tenders.readFilter(query, now);
    const words = toSearchedWords(filter?.words ?? []);
    if (!filter?.words.some(({ required }) => required)) return JSON.stringify({ total: 0, hits: [], words });
    const { rows } = await this.reader.query<{ total: number; hits: FoundPart[] }>(documentHitsStatement(filter, now));
    const { total = 0, hits = [] } = rows[0] ?? {};
    const [{ rows: texts }, { rows: summaries }] = await Promise.all([
      this.reader.query<HitText>({
        name: 'texts of hits',
        text: TEXTS_OF_HITS,
        values: [hits.map(({ readingId }) => readingId), hits.map(({ part }) => part)],
      }),
      this.reader.query<{ rows: string }>(
        summariesStatement(
          hits.map(({ id }) => id),
          now,
        ),
      ),
    ]);
    const tenders = new Map(
      (JSON.parse(summaries[0]?.rows ?? '[]') as { _id: string }[]).map((tender) => [tender._id, tender]),
    );
    const shown = hits.flatMap(({ id }, at) => {
      const [tender, text] = [tenders.get(String(id)), texts[at]];
      return tender && text ? [{ ...placeOf(text, words), tender }] : [];
    });
    return JSON.stringify({ total, hits: shown, words });
  }
}

function placeOf({ file, part, text, items }: HitText, words: readonly SearchedWord[]): DocumentHitPlace {
  const item = items?.[part];
  return item
    ? {
        file,
        page: null,
        item: item.no,
        snippet: documentSnippet(boqSearchTexts(items ?? [])[part] ?? '', words, false),
      }
    : { file, page: part + 1, item: null, snippet: documentSnippet(text ?? '', words, true) };
}
