/** The operator's command for ways in which data come: feeds, and keys of programs that send files. */
import { userInfo } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { AcceptedFiles } from '@nivida/contract/desk/data-in';
import { formatDateTime } from '@nivida/contract/format';
import { ACCEPTANCES, PortalName } from '@nivida/contract/ingest/sent-files';
import { safeParse } from 'valibot';
import { InvalidOptionsError } from '../../base/config.ts';
import { OperatorError } from '../../base/operator-error.ts';
import { FeedsService, type ListedFeed } from '../../ingest/feeds/feeds.service.ts';
import { ImportKeysService, type ListedKey } from '../../ingest/sent-files/import-keys.service.ts';
import type { ServiceContext } from '../service-command.ts';
import { ACT_OPTIONS, commandAct } from './act-options.ts';

/** Longer than the longest fetch of a feed; a worker that does nothing until then is not running. */
const MAX_WAIT_MS = 3_600_000;
const POLL_MS = 1_000;
const DEFAULT_REASON = 'By command on the server';

/** Runs `feeds ARGS`. Returns the text for stdout. Throws InvalidOptionsError, OperatorError and AppError. */
export async function runFeeds(args: string[], { find }: ServiceContext): Promise<string> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      ...ACT_OPTIONS,
      wait: { type: 'boolean', default: false },
      'accept-mass-change': { type: 'boolean', default: false },
      'accept-state': { type: 'boolean', default: false },
      file: { type: 'string', multiple: true, default: [] },
      portal: { type: 'string' },
      'lists-only': { type: 'boolean', default: false },
    },
  });
  const [command, name, ...more] = positionals;
  if (command === 'keys') return runKeys(name, more, values, await find(ImportKeysService));
  const feeds = await find(FeedsService);
  if (command === 'list' && name === undefined) return feedsText(await feeds.list(), values.json);
  if (command !== 'pause' && command !== 'resume' && command !== 'run')
    throw new InvalidOptionsError('feeds: list, pause, resume, run or keys');
  if (name === undefined || more.length > 0) throw new InvalidOptionsError(`${command}: name one feed`);
  const act = commandAct(command, command === 'run' ? values.reason || DEFAULT_REASON : values.reason);
  if (command === 'run') {
    const before = await outcomeOf(feeds, name);
    await feeds.requestRun(name, act, await readAccepted(feeds, name, values));
    if (values.wait) await waitForRun(feeds, name, before);
  } else await feeds.setPaused(name, command === 'pause', act);
  const named = (await feeds.list()).filter((feed) => feed.name === name);
  const note = command === 'run' && !values.wait && !values.json ? 'A worker reads it now\n' : '';
  return feedsText(named, values.json) + note;
}

interface AcceptValues {
  'accept-mass-change': boolean;
  'accept-state': boolean;
  file: string[];
}

/** The waiting files that the options name, and what is accepted of them. Throws InvalidOptionsError. */
async function readAccepted(feeds: FeedsService, name: string, values: AcceptValues): Promise<AcceptedFiles> {
  const accepts = ACCEPTANCES.filter((problem) => values[`accept-${problem}`]);
  if (accepts.length > 0 !== values.file.length > 0)
    throw new InvalidOptionsError(
      'run: --accept-mass-change and --accept-state need --file, and --file needs one of them',
    );
  const held = (await feeds.list()).find((feed) => feed.name === name)?.heldFiles ?? [];
  const files = values.file.map((wanted) => {
    const file = held.find((each) => each.name === wanted);
    if (!file) throw new InvalidOptionsError(`run: no file ${wanted} of ${name} waits; see "feeds list"`);
    return { name: file.name, sha256: file.sha256 };
  });
  return { accepts, files };
}

interface KeyValues {
  json: boolean;
  reason: string;
  portal?: string | undefined;
  'lists-only': boolean;
}

async function runKeys(
  command: string | undefined,
  names: string[],
  { json, reason, portal, 'lists-only': listsOnly }: KeyValues,
  keys: ImportKeysService,
): Promise<string> {
  const [name, ...more] = names;
  if (command === 'list' && name === undefined) return keysText(await keys.list(), json);
  if (command !== 'add' && command !== 'revoke') throw new InvalidOptionsError('keys: list, add or revoke');
  if (name === undefined || more.length > 0 || name.length > 100)
    throw new InvalidOptionsError(`keys ${command}: name one key, with at most 100 characters`);
  const act = commandAct(command, reason || DEFAULT_REASON);
  if (command === 'revoke') {
    await keys.revoke(name, act);
    return keysText(await keys.list(), json);
  }
  const parsed = portal === undefined ? undefined : safeParse(PortalName, portal);
  if (parsed && !parsed.success) throw new InvalidOptionsError(`--portal ${parsed.issues[0].message}`);
  const added = await keys.add({ name, portal: parsed?.output, listsOnly }, userInfo().username, act);
  return json ? `${JSON.stringify(added)}\n` : `${added.key}\nThis key is not shown again\n`;
}

/** When and how the last attempt of a feed ended, as one text. */
async function outcomeOf(feeds: FeedsService, name: string): Promise<string> {
  const feed = (await feeds.list()).find((each) => each.name === name);
  return JSON.stringify([feed?.triedAt, feed?.succeededAt, feed?.error]);
}

async function waitForRun(feeds: FeedsService, name: string, before: string): Promise<void> {
  const until = Date.now() + MAX_WAIT_MS;
  for (;;) {
    const feed = (await feeds.list()).find((each) => each.name === name);
    const { triedAt = null, succeededAt = null, error = null } = feed ?? {};
    // An attempt that has begun has neither an error nor a success of its own.
    const hasEnded = error !== null || (triedAt !== null && succeededAt !== null && succeededAt >= triedAt);
    if (hasEnded && (await outcomeOf(feeds, name)) !== before) return;
    if (Date.now() >= until) throw new OperatorError(`No worker has read ${name} within an hour`);
    await wait(POLL_MS);
  }
}

function feedsText(feeds: readonly ListedFeed[], json: boolean): string {
  if (json) return `${JSON.stringify(feeds)}\n`;
  const lines = feeds.map((feed) => [feed.name, feed.source, stateText(feed)].join('\t'));
  return `${[...lines, `${feeds.length} feeds`].join('\n')}\n`;
}

function stateText({
  everyMinutes,
  triedAt,
  succeededAt,
  error,
  counts,
  heldFiles,
  pausedAt,
  pausedReason,
}: ListedFeed): string {
  const last = succeededAt ? `read ${formatDateTime(succeededAt)}` : 'never read';
  const rows = counts ? `, new ${counts.new}, changed ${counts.changed}, rejected ${counts.rejected}` : '';
  const failed = error === null || !triedAt ? '' : `, failed ${formatDateTime(triedAt)}: ${error}`;
  const pace = pausedAt ? `paused ${formatDateTime(pausedAt)}: ${pausedReason}` : `every ${everyMinutes} minutes`;
  const waiting = heldFiles.map((file) => `, waits for you: ${file.name} (${file.problem})`).join('');
  return `${pace}; ${last}${rows}${failed}${waiting}`;
}

function keysText(keys: readonly ListedKey[], json: boolean): string {
  if (json) return `${JSON.stringify(keys)}\n`;
  const lines = keys.map(({ name, portal, listsOnly, createdAt, createdBy, usedAt, revokedAt }) =>
    [
      name,
      `${portal ?? 'any portal'}${listsOnly ? ', lists only' : ''}`,
      `since ${formatDateTime(createdAt)}, by ${createdBy}`,
      revokedAt
        ? `revoked ${formatDateTime(revokedAt)}`
        : usedAt
          ? `last used ${formatDateTime(usedAt)}`
          : 'never used',
    ].join('\t'),
  );
  return `${[...lines, `${keys.length} keys`].join('\n')}\n`;
}
