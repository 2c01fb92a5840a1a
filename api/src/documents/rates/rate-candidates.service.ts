import { Injectable } from '@nestjs/common';
import { isItem } from '@nivida/contract/documents/boq';
import { boqSearchTexts } from '@nivida/contract/documents/find-in-documents';
import {
  MAX_RATE_CANDIDATES,
  type RateCandidates,
  type RateItem,
  type RateSchedule,
} from '@nivida/contract/documents/rate-candidates';
import { normalUnit } from '@nivida/contract/documents/units';
import { DataSource } from 'typeorm';
import { DocumentsService } from '../documents.service.ts';
import { TenderReadingService } from '../reading/tender-reading.service.ts';
import { ITEMS_BY_NUMBER, ITEMS_OF_UNITS, SCHEDULES_OF_STATE } from './rates.sql.ts';
import { similarItems, type TextInUnit } from './similar-items.ts';

/** An item without its rate. */
interface KeyedText extends TextInUnit {
  scheduleId: string;
  no: number;
}

/** A line of a BOQ with the items that resemble it. */
interface MatchedLine {
  fileId: string;
  row: number;
  found: KeyedText[];
}

/** Items of the operator's schedules beside the lines of a BOQ. */
@Injectable()
export class RateCandidatesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly documents: DocumentsService,
    private readonly readings: TenderReadingService,
  ) {}

  /** Candidates for the lines of the BOQs that the account may see whole; none for other readers. NOT_FOUND. */
  async read(tenderId: string, userId: string | null): Promise<RateCandidates> {
    const { boqs } = await this.readings.read(tenderId, userId);
    const lines = boqs.flatMap(({ fileId, boq }) => {
      const texts = boqSearchTexts(boq?.items ?? []);
      return (boq?.items ?? []).flatMap((item, at) => {
        const unit = isItem(item) && item.unit !== null ? normalUnit(item.unit) : null;
        return unit === null ? [] : [{ fileId, row: item.row, text: texts[at] ?? item.text, normalUnit: unit }];
      });
    });
    if (lines.length === 0) return { schedules: [], lines: [] };
    const { state } = await this.documents.findTender(tenderId);
    const schedules: RateSchedule[] = await this.dataSource.query(SCHEDULES_OF_STATE, [state]);
    const units = [...new Set(lines.map((line) => line.normalUnit))];
    const items: KeyedText[] = await this.dataSource.query(ITEMS_OF_UNITS, [schedules.map(({ id }) => id), units]);
    // Of equal items the newest schedule is first.
    const age = new Map(schedules.map(({ id }, at) => [id, at]));
    items.sort((one, other) => (age.get(one.scheduleId) ?? 0) - (age.get(other.scheduleId) ?? 0));
    const similar = similarItems(items);
    const matched = lines
      .map(({ fileId, row, ...line }): MatchedLine => ({ fileId, row, found: similar(line, MAX_RATE_CANDIDATES) }))
      .filter(({ found }) => found.length > 0);
    return this.withRates(schedules, matched);
  }

  private async withRates(
    schedules: readonly RateSchedule[],
    matched: readonly MatchedLine[],
  ): Promise<RateCandidates> {
    const found = [...new Set(matched.flatMap((line) => line.found))];
    const rows: (RateItem & { no: number })[] = await this.dataSource.query(ITEMS_BY_NUMBER, [
      found.map(({ scheduleId }) => scheduleId),
      found.map(({ no }) => no),
    ]);
    const keyOf = ({ scheduleId, no }: Pick<KeyedText, 'scheduleId' | 'no'>) => `${scheduleId} ${no}`;
    const byKey = new Map(rows.map(({ no, ...item }) => [keyOf({ scheduleId: item.scheduleId, no }), item]));
    const lines = matched.map(({ fileId, row, found: own }) => ({
      fileId,
      row,
      // An import may have replaced the schedule meanwhile.
      items: own.flatMap((item) => byKey.get(keyOf(item)) ?? []),
    }));
    const used = new Set(rows.map(({ scheduleId }) => scheduleId));
    return { schedules: schedules.filter(({ id }) => used.has(id)), lines };
  }
}
