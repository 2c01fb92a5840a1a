import { Injectable } from '@nestjs/common';
import { boqSummary } from '@nivida/contract/documents/tender-reading';
import type { FileKind } from '@nivida/contract/orders/document-package';
import { DataSource, type EntityManager } from 'typeorm';
import type { DocumentReading } from '../../reading/document-reading.ts';
import { maskPeople } from './mask-people.ts';
import { type HeldFact, mergeFacts } from './merge-facts.ts';
import {
  DELETE_FACTS,
  DELETE_OTHER_READINGS,
  FACTS_OF_FILE,
  INSERT_FACTS,
  KNOWN_READING,
  LOCK_READ_FILE,
  MARK_FILE_READ,
  UPDATE_FACT_VALUE,
  UPSERT_BOQ,
  UPSERT_READING,
} from './reading.sql.ts';

/** A file of a package that is to be read. */
export interface FileToRead {
  /** A bigint as text. */
  id: string;
  nit: string;
  tenderId: number;
  sha256: string;
}

/** What was read in a file, or in one file of an archive. */
export interface ReadMember {
  /** 'documents.zip/nit.pdf' */
  name: string;
  kind: FileKind;
  sha256: string;
  reading: DocumentReading;
}

/** Stores what was read. */
@Injectable()
export class ReadingStoreService {
  constructor(private readonly dataSource: DataSource) {}

  /** What this version found in the same content before; undefined when it is new. */
  async findKnown(sha256: string, version: number): Promise<DocumentReading | undefined> {
    const [known]: DocumentReading[] = await this.dataSource.query(KNOWN_READING, [sha256, version]);
    return known;
  }

  /**
   * Stores the readings of a file in place of earlier ones, and does what follows from them in the same transaction: a
   * process that is killed does both or neither. False when the file was changed or removed meanwhile.
   */
  store(
    file: FileToRead,
    members: readonly ReadMember[],
    version: number,
    now: Date,
    follow?: (manager: EntityManager) => Promise<void>,
  ): Promise<boolean> {
    return this.dataSource.transaction(async (manager) => {
      const locked: unknown[] = await manager.query(LOCK_READ_FILE, [file.id, file.sha256]);
      if (locked.length === 0) return false;
      const [names, digests] = [members.map(({ name }) => name), members.map(({ sha256 }) => sha256)];
      await manager.query(DELETE_OTHER_READINGS, [file.id, names, digests]);
      for (const member of members) await storeMember(manager, file, member, version, now);
      await manager.query(MARK_FILE_READ, [file.id, version]);
      await follow?.(manager);
      return true;
    });
  }
}

async function storeMember(
  manager: EntityManager,
  file: FileToRead,
  { name, kind, sha256, reading: raw }: ReadMember,
  version: number,
  now: Date,
): Promise<void> {
  const reading = storableReading(raw);
  const { state, pages, unreadPages, texts, boq } = reading;
  const [{ id, isNew }]: [{ id: string; isNew: boolean }] = await manager.query(UPSERT_READING, [
    file.id,
    name,
    boq ? 'boq' : kind,
    sha256,
    version,
    state,
    pages,
    JSON.stringify(unreadPages),
    texts,
    now,
  ]);
  const held: HeldFact[] = await manager.query(FACTS_OF_FILE, [id]);
  const { removed, added, revalued } = mergeFacts(held, reading);
  await manager.query(DELETE_FACTS, [removed]);
  for (const fact of revalued)
    await manager.query(UPDATE_FACT_VALUE, [fact.id, fact.value && JSON.stringify(fact.value)]);
  await manager.query(INSERT_FACTS, [id, JSON.stringify(added)]);
  if (!boq) return;
  const { nit, tenderId } = file;
  const summary = JSON.stringify(boqSummary(boq));
  await manager.query(UPSERT_BOQ, [nit, tenderId, sha256, name, JSON.stringify(boq), summary, now, isNew]);
}

/** Without numbers of people. PostgreSQL stores neither U+0000 nor half a surrogate pair. */
export function storableReading(reading: DocumentReading): DocumentReading {
  const { facts, boq, texts, ...others }: DocumentReading = JSON.parse(JSON.stringify(reading), (_key, value) =>
    typeof value === 'string' ? value.replaceAll('\0', '\uFFFD').toWellFormed() : value,
  );
  return {
    ...others,
    facts: facts.map((fact) => ({ ...fact, quote: maskPeople(fact.quote) })),
    boq: boq && { ...boq, items: boq.items.map((item) => ({ ...item, text: maskPeople(item.text) })) },
    texts: texts.map(maskPeople),
  };
}
