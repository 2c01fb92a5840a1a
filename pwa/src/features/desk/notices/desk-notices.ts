/** Notices to all users and incidents, as one list of the desk. */
import { DeskIncidentList, DeskNoticeList } from '@nivida/contract/desk/notices';
import type { Incident, SiteNotice } from '@nivida/contract/site/status';
import { currentTime, useNow } from '../../../data/clock.ts';
import type { QueryResult } from '../../../data/server/query-cache.ts';
import { createDeskQuery, useDeskQuery } from '../data/desk-query.ts';

/** A row of the list; `id` is that of the row's address. */
export type StatusEntry =
  | { id: string; kind: 'notice'; startsAt: string; endsAt: string | null; notice: SiteNotice }
  | { id: string; kind: 'incident'; startsAt: string; endsAt: string | null; incident: Incident };

/** `planned`: it starts later. */
export type EntryState = 'planned' | 'shown' | 'past';

export function stateOf({ startsAt, endsAt }: StatusEntry, now: Date): EntryState {
  if (endsAt !== null && new Date(endsAt) <= now) return 'past';
  return new Date(startsAt) > now ? 'planned' : 'shown';
}

/** The time of the rendering, which is repeated each minute: what was ended in this minute has ended. */
export function useCurrentTime(): Date {
  useNow();
  return currentTime();
}

const noticeCache = createDeskQuery(DeskNoticeList);
const incidentCache = createDeskQuery(DeskIncidentList);

/** Notices and incidents: first those that last, then the newest. */
export function useStatusEntries(): QueryResult<{ rows: readonly StatusEntry[] }> {
  const notices = useDeskQuery(noticeCache, 'notices');
  const incidents = useDeskQuery(incidentCache, 'incidents');
  const answer = notices.answer &&
    incidents.answer && {
      rows: [
        ...notices.answer.rows.map((notice) => ({
          ...{ id: `notice-${notice.id}`, kind: 'notice' as const, notice },
          ...{ startsAt: notice.starts_at, endsAt: notice.ends_at },
        })),
        ...incidents.answer.rows.map((incident) => ({
          ...{ id: `incident-${incident.id}`, kind: 'incident' as const, incident },
          ...{ startsAt: incident.started_at, endsAt: incident.ended_at },
        })),
      ].sort(byEnd),
    };
  return {
    answer,
    error: notices.error ?? incidents.error,
    receivedAt: notices.receivedAt ?? incidents.receivedAt,
    isLoading: notices.isLoading || incidents.isLoading,
    reload: () => {
      notices.reload();
      incidents.reload();
    },
  };
}

function byEnd(one: StatusEntry, other: StatusEntry): number {
  if ((one.endsAt === null) !== (other.endsAt === null)) return one.endsAt === null ? -1 : 1;
  return (other.endsAt ?? other.startsAt).localeCompare(one.endsAt ?? one.startsAt);
}
