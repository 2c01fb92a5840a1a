/** What operators do to tenders: hidden ones leave every list and device, corrections outlive imports. */
import type { CorrectableField } from '@nivida/contract/desk/tenders';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CorrectionsService } from '../../src/ingest/corrections/corrections.service.ts';
import { rederivePlaces } from '../../src/ingest/places/rederive-places.job.ts';
import type { SourceTender } from '../../src/ingest/source-tender.ts';
import { createChangeNotices } from '../../src/push/alerts/change-notices.ts';
import { HideTendersService } from '../../src/tenders/hide-tenders.service.ts';
import { publishDueDrafts } from '../../src/tenders/publish-drafts.job.ts';
import { createSession } from '../support/accounts.ts';
import { createSourceTender, importTenders } from '../support/source-tenders.ts';
import { startApp, type TestApp } from '../support/start-app.ts';
import { SyncDevice } from '../sync/sync-device.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');
const SCOPE = 'himachal-pradesh';
const ACT = { actorId: null, reason: 'the office called' };
const november = (time: string) => new Date(`2026-11-${time}+05:30`);

let app: TestApp;
beforeEach(async () => {
  app = await startApp({ now: NOW });
});
afterEach(() => app.close());

const pass = (seconds: number) => {
  app.clock.now = new Date(app.clock.now.getTime() + seconds * 1_000);
};
const store = async (...tenders: SourceTender[]) => {
  const counts = await importTenders(app.database.dataSource, tenders, { now: app.clock.now });
  pass(1);
  return counts;
};
const query = (text: string, values: unknown[] = []) => app.database.dataSource.query(text, values);
const idOf = async (sourceId = '2026_PWD_100001_1'): Promise<number> =>
  (await query('SELECT id FROM tender WHERE source_id = $1', [sourceId]))[0].id;
const startDevice = async () => {
  const device = new SyncDevice(SCOPE);
  await device.start(app);
  return device;
};
const listed = async (): Promise<string[]> =>
  (await app.get('/api/tenders?state=himachal-pradesh')).json.data.map(
    ({ source_tender_id }: { source_tender_id: string }) => source_tender_id,
  );
const shown = async () => {
  const { tender } = (await app.get(`/api/tenders/${await idOf()}`)).json;
  return { ...tender, closing_date: new Date(tender.closing_date).toISOString() };
};
const bookmark = (userId: string, tenderId: number) =>
  query('INSERT INTO bookmark (user_id, tender_id, bookmark_no, created_at) VALUES ($1, $2, 1, $3)', [
    userId,
    tenderId,
    NOW,
  ]);

describe('a hidden tender', () => {
  const hide = async () => {
    await app.app.get(HideTendersService).hide(await idOf(), ACT);
    pass(1);
  };
  const unhide = async () => {
    await app.app.get(HideTendersService).unhide(await idOf(), ACT);
    pass(1);
  };
  const other = createSourceTender({ sourceId: '2026_PWD_100001_2', title: 'Footbridge', nitKey: 'nit' });
  const tender = createSourceTender({ nitKey: 'nit' });

  test('leaves lists, search, sitemap and devices, and comes back', async () => {
    await store(tender, other);
    const id = await idOf();
    const device = await startDevice();
    expect(device.find(other.sourceId)?.nitWorks).toBe(2);
    await hide();
    expect(await listed()).toEqual([other.sourceId]);
    expect((await app.get('/api/tenders/search?q=construction')).json.data).toEqual([]);
    expect((await app.get('/sitemap-tenders-1.xml')).text).not.toContain(`/tenders/${id}<`);
    await device.update(app);
    expect(device.sourceTenderIds()).toEqual([other.sourceId]);
    expect(device.find(other.sourceId)?.nitWorks).toBe(1);
    const fresh = await startDevice();
    await fresh.update(app);
    expect(fresh.sourceTenderIds()).toEqual([other.sourceId]);
    const gone = await app.get(`/api/tenders/${id}`);
    expect([gone.status, gone.json.message]).toEqual([
      404,
      'We have taken this tender down, because something about it was wrong.',
    ]);

    await unhide();
    expect((await listed()).sort()).toEqual([tender.sourceId, other.sourceId]);
    await device.update(app);
    expect(device.sourceTenderIds()).toEqual([tender.sourceId, other.sourceId]);
    expect(device.find(other.sourceId)?.nitWorks).toBe(2);
    expect(device.find(tender.sourceId)?.publishedAt).toBe(tender.publishedAt.getTime());
    const events = await query("SELECT action, detail->>'reason' AS reason FROM audit WHERE subject = $1 ORDER BY id", [
      String(id),
    ]);
    expect(events).toEqual([
      { action: 'tender.hidden', reason: ACT.reason },
      { action: 'tender.unhidden', reason: ACT.reason },
    ]);
  });

  test('stays hidden through imports and jobs, and is shown as the source has it then', async () => {
    await store(tender, other);
    const device = await startDevice();
    await hide();
    await store(tender, other);
    await store({ ...tender, closesAt: november('25T11:00'), publishedAt: november('03T09:00') }, other);
    await publishDueDrafts({ dataSource: app.database.dataSource, now: app.clock.now });
    await rederivePlaces(app.database.dataSource, app.clock.now);
    expect(await listed()).toEqual([other.sourceId]);
    await device.update(app);
    expect(device.sourceTenderIds()).toEqual([other.sourceId]);
    await unhide();
    await device.update(app);
    expect(device.find(tender.sourceId)).toMatchObject({
      closesAt: november('25T11:00').getTime(),
      publishedAt: november('03T09:00').getTime(),
    });
    expect((await listed()).sort()).toEqual([tender.sourceId, other.sourceId]);
  });

  test('that was a draft is published on its day when it is shown again', async () => {
    await store({ ...tender, publishedAt: november('12T09:00') });
    await hide();
    app.clock.now = november('13T09:00');
    await publishDueDrafts({ dataSource: app.database.dataSource, now: app.clock.now });
    expect(await listed()).toEqual([]);
    await unhide();
    await publishDueDrafts({ dataSource: app.database.dataSource, now: app.clock.now });
    expect(await listed()).toEqual([tender.sourceId]);
    expect(await query("SELECT kind FROM tender_history WHERE kind = 'published'")).toHaveLength(1);
  });

  test('gives no notices, and is neither hidden nor shown twice', async () => {
    await store(tender);
    const { user } = await createSession(app);
    await bookmark(user._id, await idOf());
    await store({ ...tender, closesAt: november('25T11:00') });
    await hide();
    await app.database.dataSource.transaction((manager) => createChangeNotices(manager, app.clock.now));
    expect(await query('SELECT FROM notice')).toEqual([]);
    await expect(hide()).rejects.toThrow('This tender is hidden already');
    await unhide();
    await expect(unhide()).rejects.toThrow('This tender is not hidden');
    await expect(app.app.get(HideTendersService).hide(2_000_000_000, ACT)).rejects.toThrow('Tender not found');
  });
});

describe('a corrected field', () => {
  const tender = createSourceTender();
  const correct = async (field: CorrectableField, value: string, version?: number) => {
    await app.app.get(CorrectionsService).correct(await idOf(), { field, value, version }, ACT);
    pass(1);
  };
  const uncorrect = async (field: CorrectableField) => {
    await app.app.get(CorrectionsService).uncorrect(await idOf(), field, ACT);
    pass(1);
  };
  const ends = () => query('SELECT field, ended_because FROM tender_correction ORDER BY id');

  test('reaches devices and bookmarkers as a change, and outlives imports until the source changes it', async () => {
    await store(tender);
    const id = await idOf();
    const { user } = await createSession(app);
    await bookmark(user._id, id);
    const device = await startDevice();
    await correct('closing', '24 Nov 2026, 3:00 PM');
    expect(await shown()).toMatchObject({
      closing_date: november('24T15:00').toISOString(),
      last_corrigendum: 'date',
      corrigenda: [
        { title: 'Closing date changed', type: 'Corrected by Nivida', changes: [{ field: 'closing_date' }] },
      ],
    });
    await device.update(app);
    expect(device.find(tender.sourceId)).toMatchObject({ closesAt: november('24T15:00').getTime(), version: 2 });
    await app.database.dataSource.transaction((manager) => createChangeNotices(manager, app.clock.now));
    expect(await query('SELECT kind, tender_id, detail FROM notice')).toMatchObject([
      { kind: 'changed', tender_id: id, detail: { fields: ['closing_date'] } },
    ]);

    // The same file, then one that changes other fields.
    await store(tender);
    const repaired = { ...tender, title: 'Repair of footbridge', description: 'Repair of footbridge' };
    expect(await store(repaired)).toMatchObject({ changed: 1 });
    expect(await shown()).toMatchObject({ title: repaired.title, closing_date: november('24T15:00').toISOString() });
    await device.update(app);
    expect(device.find(tender.sourceId)).toMatchObject({
      title: repaired.title,
      closesAt: november('24T15:00').getTime(),
    });
    expect(await ends()).toEqual([{ field: 'closing', ended_because: null }]);

    // The portal moves its own closing.
    await store({ ...repaired, closesAt: november('26T11:00') });
    expect(await shown()).toMatchObject({ closing_date: november('26T11:00').toISOString() });
    await device.update(app);
    expect(device.find(tender.sourceId)?.closesAt).toBe(november('26T11:00').getTime());
    expect(await ends()).toEqual([{ field: 'closing', ended_because: 'source' }]);
    const [last] = await query('SELECT changes FROM tender_history ORDER BY change_no DESC LIMIT 1');
    expect(last.changes).toEqual([
      { field: 'closing_date', old: november('24T15:00').toISOString(), new: november('26T11:00').toISOString() },
    ]);
  });

  test('is the source’s again when an operator ends it', async () => {
    await store(tender);
    await correct('emd', '25000');
    expect((await shown()).emd).toBe('25000.00');
    await uncorrect('emd');
    expect((await shown()).emd).toBe('10000.00');
    expect(await ends()).toEqual([{ field: 'emd', ended_because: 'operator' }]);
    await expect(uncorrect('emd')).rejects.toThrow('This field is not corrected');
  });

  test('has later corrections, the last of which counts', async () => {
    await store({ ...tender, closingTimeKnown: false });
    await correct('closing', '24 Nov 2026, 3:00 PM');
    await correct('closing', '25 Nov 2026, 3:00 PM');
    expect(await ends()).toEqual([
      { field: 'closing', ended_because: 'replaced' },
      { field: 'closing', ended_because: null },
    ]);
    await uncorrect('closing');
    expect(await shown()).toMatchObject({ closing_date: tender.closesAt.toISOString(), closing_time_known: false });
  });

  test('shows the second of two operators what the first did', async () => {
    await store(tender);
    const { version } = await shown();
    await correct('value', '750000', version);
    await expect(correct('value', '800000', version)).rejects.toThrow(
      'A colleague has corrected this field on 10 Nov 2026, 11:30 AM to “750000.00”: the office called',
    );
    expect((await shown()).price).toBe(750_000);
  });

  test('of a PIN code or a title derives the district anew, now and in imports', async () => {
    await query(
      "INSERT INTO pincode VALUES ('171001', 'Himachal Pradesh', 'Shimla', 1), ('173212', 'Himachal Pradesh', 'Solan', 1)",
    );
    await store({ ...tender, pincode: '171001' });
    expect(await shown()).toMatchObject({ district: 'Shimla' });
    await correct('pincode', '173 212');
    expect(await shown()).toMatchObject({ district: 'Solan', pincode: '173212' });
    await store({ ...tender, pincode: '171001', emd: '11000.00' });
    expect(await shown()).toMatchObject({ district: 'Solan', pincode: '173212', emd: '11000.00' });
    const found = await app.get('/api/tenders?state=himachal-pradesh&district=Solan');
    expect(found.json.total).toBe(1);
    await uncorrect('pincode');
    expect(await shown()).toMatchObject({ district: 'Shimla', pincode: '171001' });
  });

  test('of a district outlives a new PIN table, until another district is derived', async () => {
    await query("INSERT INTO pincode VALUES ('171001', 'Himachal Pradesh', 'Shimla', 1)");
    await store({ ...tender, pincode: '171001' });
    await correct('district', 'solan');
    await rederivePlaces(app.database.dataSource, app.clock.now);
    await store({ ...tender, pincode: '171001', emd: '11000.00' });
    expect(await shown()).toMatchObject({ district: 'Solan' });
    expect((await app.get('/api/tenders/search?q=solan&state=himachal-pradesh')).json.total).toBe(1);
    await query("UPDATE pincode SET district = 'Mandi'");
    await rederivePlaces(app.database.dataSource, app.clock.now);
    expect(await shown()).toMatchObject({ district: 'Mandi' });
    expect(await ends()).toEqual([{ field: 'district', ended_because: 'source' }]);
  });

  test.each<[CorrectableField, string, string]>([
    ['closing', '', '“” is no value for Bid Submission End Date'],
    ['closing', '24 Nov 2026', '“24 Nov 2026” is no value for Bid Submission End Date'],
    ['closing', '1 Nov 2026, 9:00 AM', 'A tender cannot close before it is published'],
    ['opening', '19 Nov 2026, 9:00 AM', 'Bids cannot be opened before the closing'],
    ['value', 'plenty', '“plenty” is no value for Tender Value'],
    ['pincode', '1710', '“1710” is no value for Pincode'],
    ['district', 'Jaipur', '“Jaipur” is no value for District'],
    ['emd', '10,000', 'The tender has this value already'],
  ])('%s cannot become "%s"', async (field, value, message) => {
    await store(tender);
    await expect(correct(field, value)).rejects.toThrow(message);
    expect(await ends()).toEqual([]);
  });
});
