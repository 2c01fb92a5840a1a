import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ACCOUNTS } from './0001-schema/accounts.sql.ts';
import { AWARDS } from './0001-schema/awards.sql.ts';
import { CORRECTIONS } from './0001-schema/corrections.sql.ts';
import { DATA_OUT } from './0001-schema/data-out.sql.ts';
import { DOCUMENTS } from './0001-schema/documents.sql.ts';
import { FIRMS } from './0001-schema/firms.sql.ts';
import { MAILINGS } from './0001-schema/mailings.sql.ts';
import { MAPPINGS } from './0001-schema/mappings.sql.ts';
import { ORDERS } from './0001-schema/orders.sql.ts';
import { PASSKEYS } from './0001-schema/passkeys.sql.ts';
import { PUSH } from './0001-schema/push.sql.ts';
import { RATES } from './0001-schema/rates.sql.ts';
import { SENT_FILES } from './0001-schema/sent-files.sql.ts';
import { SERVER } from './0001-schema/server.sql.ts';
import { SITE_STATUS } from './0001-schema/site-status.sql.ts';
import { STAFF } from './0001-schema/staff.sql.ts';
import { SUPPORT } from './0001-schema/support.sql.ts';
import { TENDERS } from './0001-schema/tenders.sql.ts';
import { USER_DATA } from './0001-schema/user-data.sql.ts';

/** The tables of version 1.0.0. Each group may refer to tables of the groups before it. */
export class Schema1764000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statements of [
      SERVER,
      TENDERS,
      ACCOUNTS,
      USER_DATA,
      FIRMS,
      ORDERS,
      DOCUMENTS,
      PUSH,
      AWARDS,
      STAFF,
      MAILINGS,
      PASSKEYS,
      MAPPINGS,
      CORRECTIONS,
      SITE_STATUS,
      SUPPORT,
      SENT_FILES,
      RATES,
      DATA_OUT,
    ].flat())
      await runner.query(statements);
  }

  down(): never {
    throw new Error('There is no version before the first: drop the database');
  }
}
