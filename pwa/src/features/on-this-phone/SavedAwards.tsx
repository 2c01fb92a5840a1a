import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { formatAge, formatBytes } from '@nivida/contract/format';
import { placeName } from '@nivida/contract/regions/states';
import { INDIA_SCOPE } from '@nivida/contract/sync/sync';
import { withDatabase } from '../../data/device/database.ts';
import { useLiveRows } from '../../data/device/live-query.ts';
import type { AwardPackRow, DeviceDatabase } from '../../data/device/schema.ts';
import { forgetFull, worksDownload } from '../../data/device/storage-quota.ts';
import { scopeOfState } from '../../offline/packs/pack-status.ts';
import { Button } from '../../ui/Button.tsx';
import { useOnline } from '../../ui/browser-state.ts';

/** Bytes on the wire of a past work, measured on two portals. */
const BYTES_PER_WORK = 26;

const loadQuery = async () => (db: DeviceDatabase) => db.awardPacks.toArray();

/** Sets whether past works are wanted. Their download starts when this row changes. */
function changeWorks(state: string, works: AwardPackRow['works']): Promise<unknown> {
  forgetFull(worksDownload(state));
  return withDatabase((db) =>
    db.transaction('rw', db.awardPacks, db.awardFiles, async () => {
      await db.awardPacks.update(state, { works });
      if (works === null) await db.awardFiles.delete([state, 'works']);
    }),
  ).catch(() => undefined);
}

/** The awards stored with a state: statistics of its offices, and past works if the user requests them. */
export function SavedAwards({ scope, now }: { scope: string; now: Date }) {
  const { rows = [] } = useLiveRows(loadQuery);
  const shown = rows.filter(({ state }) => scope === INDIA_SCOPE || scopeOfState(state) === scope);
  return shown.map((row) => <SavedAwardsRow key={row.state} row={row} now={now} />);
}

function SavedAwardsRow({ row, now }: { row: AwardPackRow; now: Date }) {
  const { state, awards, works, bytes, savedAt } = row;
  const isOnline = useOnline();
  const place = placeName(state);
  const size = formatBytes(bytes);
  const age = formatAge(new Date(savedAt), now);
  return (
    <div>
      <p className="xs muted">
        <Trans>
          What happens at the offices of {{ state: place }} · {size} · Saved {age}
        </Trans>
      </p>
      {works === null && isOnline && (
        <Button look="plain" onClick={() => void changeWorks(state, 'wanted')}>
          {t`Also save past works · ${{ size: formatBytes(awards * BYTES_PER_WORK) }}`}
        </Button>
      )}
      {works === 'wanted' && (
        <p className="xs muted">{t`Past works of ${{ state: place }} are saved when there is a connection.`}</p>
      )}
      {works !== null && works !== 'wanted' && (
        <p className="xs muted">
          {t`Past works of ${{ state: place }}, to find similar ones · ${{ size: formatBytes(works.bytes) }} · Saved ${{ age: formatAge(new Date(works.savedAt), now) }}`}
        </p>
      )}
      {works !== null && (
        <Button
          look="plain"
          aria-label={t`Remove the past works of ${{ state: place }}`}
          onClick={() => void changeWorks(state, null)}
        >
          {t`Remove past works`}
        </Button>
      )}
    </div>
  );
}
