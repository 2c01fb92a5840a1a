import { t } from '@lingui/core/macro';
import { ChangedFeed, type DeskFeed } from '@nivida/contract/desk/data-in';
import { formatDateTime } from '@nivida/contract/format';
import { PAGES, pageText } from '@nivida/contract/site/pages';
import { useState } from 'react';
import { ActButton } from '../../features/desk/act/ActButton.tsx';
import { AcceptHeldFiles } from '../../features/desk/data-in/AcceptHeldFiles.tsx';
import css from '../../features/desk/data-in/DataIn.module.css';
import { DataTabs } from '../../features/desk/data-in/DataTabs.tsx';
import { useDeskFeeds } from '../../features/desk/data-in/data-calls.ts';
import { countsText } from '../../features/desk/data-in/FileOutcome.tsx';
import { DeskList } from '../../features/desk/list/DeskList.tsx';
import { Status } from '../../ui/display/Status.tsx';

const PATH = '/desk/data/feeds';
const at = (instant: string) => formatDateTime(new Date(instant));

/** True when the last attempt has ended. */
const hasEnded = ({ tried_at, succeeded_at, error }: DeskFeed) =>
  error !== null || (tried_at !== null && succeeded_at !== null && succeeded_at >= tried_at);

/** `/desk/data/feeds`: the feeds of the configuration with their last outcome. */
export function DeskFeeds() {
  // The attempt before the one that was asked for, by feed.
  const [asked, setAsked] = useState<Record<string, string | null>>({});
  const isWaiting = (feed: DeskFeed) => feed.name in asked && (asked[feed.name] === feed.tried_at || !hasEnded(feed));
  const [isWatched, setIsWatched] = useState(false);
  const feeds = useDeskFeeds(isWatched);
  const waits = feeds.answer?.rows.some(isWaiting) ?? false;
  if (waits !== isWatched) setIsWatched(waits);
  return (
    <DeskList<DeskFeed>
      title={pageText(PAGES[PATH]).title}
      path={PATH}
      intro={<DataTabs />}
      rows={feeds}
      idOf={({ name }) => name}
      empty={t`No feed is set up`}
      columns={[
        { title: t`Feed`, cell: ({ name }) => name },
        { title: t`Source`, cell: ({ source }) => source },
        {
          title: t({ message: 'State', context: 'progress' }),
          cell: (feed) => <FeedState feed={feed} isWaiting={isWaiting(feed)} />,
        },
        {
          title: t`Last read`,
          cell: (feed) =>
            feed.succeeded_at ? [at(feed.succeeded_at), countsText(feed)].filter(Boolean).join(': ') : t`never`,
        },
        {
          title: t`Acts`,
          cell: (feed) => (
            <FeedActs feed={feed} onRun={() => setAsked((all) => ({ ...all, [feed.name]: feed.tried_at }))} />
          ),
        },
      ]}
    />
  );
}

function FeedState({ feed, isWaiting }: { feed: DeskFeed; isWaiting: boolean }) {
  const { paused_at, paused_reason, every_minutes, error, held_files } = feed;
  return (
    <span className={css.states}>
      {isWaiting && <Status tone="amber" label={t`Being read`} />}
      {paused_at === null ? (
        <Status tone="green" label={t`every ${every_minutes} minutes`} />
      ) : (
        <Status tone="gray" label={t`Paused: ${{ reason: paused_reason ?? '' }}`} />
      )}
      {held_files.length > 0 && <Status tone="amber" label={t`A file waits for you`} />}
      {error !== null && (
        <span lang="en" className="xs">
          {error}
        </span>
      )}
    </span>
  );
}

function FeedActs({ feed, onRun }: { feed: DeskFeed; onRun: () => void }) {
  const { name, paused_at } = feed;
  const path = `data/feeds/${encodeURIComponent(name)}`;
  return (
    <span className={css.acts}>
      <ActButton
        label={t`Read now`}
        title={t`Read the feed ${name} now?`}
        path={`${path}/run`}
        body={{ accepts: [], files: [] }}
        schema={ChangedFeed}
        done={() => t`A worker reads it now`}
        onDone={onRun}
      />
      <AcceptHeldFiles feed={feed} path={path} onDone={onRun} />
      {paused_at === null ? (
        <ActButton
          label={t`Pause`}
          title={t`Pause the feed ${name}?`}
          path={`${path}/pause`}
          schema={ChangedFeed}
          done={() => t`Paused`}
          undo={() => ({ path: `${path}/resume` })}
        />
      ) : (
        <ActButton
          label={t`Resume`}
          title={t`Let the feed ${name} go on?`}
          path={`${path}/resume`}
          schema={ChangedFeed}
          done={() => t`The feed goes on`}
          undo={() => ({ path: `${path}/pause` })}
        />
      )}
    </span>
  );
}
