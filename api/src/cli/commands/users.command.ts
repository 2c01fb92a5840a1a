/** The operator's commands for accounts. */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { ListedPerson, PersonResponse } from '@nivida/contract/desk/people';
import { formatDate, formatDateTime, formatRupees } from '@nivida/contract/format';
import { InvalidOptionsError } from '../../base/config.ts';
import { ApiKeysService } from '../../data-out/keys/api-keys.service.ts';
import { PeopleService } from '../../desk/people/people.service.ts';
import { UnreadableFileError } from '../../ingest/source-tender.ts';
import { accountExportCsv } from '../../users/account-export-csv.ts';
import type { ServiceContext } from '../service-command.ts';
import { ACT_OPTIONS, commandAct } from './act-options.ts';

const COMMANDS = ['find', 'show', 'keys', 'unlock', 'end-sessions', 'export', 'erase', 'reopen'] as const;

/** Runs `users ARGS`; returns the text for stdout. Throws InvalidOptionsError and AppError. */
export async function runUsers(args: string[], { find }: ServiceContext): Promise<string> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { ...ACT_OPTIONS, reveal: { type: 'boolean', default: false } },
  });
  const [name, text, file, ...more] = positionals;
  if (name === 'revoke-key') return revokeKey(positionals.slice(1), values, await find(ApiKeysService));
  const command = COMMANDS.find((each) => each === name);
  if (!command) throw new InvalidOptionsError(`users: ${[...COMMANDS, 'revoke-key'].join(', ')}`);
  if (text === undefined) throw new InvalidOptionsError(`${command}: name an account by id, mobile number or e-mail`);
  if (more.length > 0 || (file === undefined) === (command === 'export'))
    throw new InvalidOptionsError(
      command === 'export' ? 'export: name an account and one file' : `${command}: one account`,
    );
  const people = await find(PeopleService);
  if (command === 'find') return printFound(await people.search(text), values.json);
  const act = () => commandAct(command, values.reason);
  const id = await people.idOf(text);
  const result = (facts: object, line: string) => (values.json ? `${JSON.stringify({ id, ...facts })}\n` : `${line}\n`);
  switch (command) {
    case 'show': {
      const contact = values.reveal ? await people.openContact(id, act()) : {};
      return printPerson({ ...(await people.read(id, null)), ...contact }, values.json);
    }
    case 'keys':
      return printKeys(await (await find(ApiKeysService)).exportKeys(id), values.json);
    case 'unlock': {
      const counters = await people.unlock(id, act());
      return result({ counters }, counters === 0 ? 'There was nothing to unlock' : 'The number can sign in again');
    }
    case 'end-sessions': {
      const sessions = await people.endSessions(id, act());
      return result({ sessions }, `Sessions ended: ${sessions}`);
    }
    case 'export': {
      await people.startExport(id, act());
      const data = await people.readExport(id, null);
      const content = file?.endsWith('.csv') ? accountExportCsv(data) : `${JSON.stringify(data, null, 2)}\n`;
      await writeNewFile(file ?? '', content);
      return result({ file }, `${file} holds the stored data of the account: hand it to its user only`);
    }
    case 'erase': {
      const erasedOn = await people.erase(id, act());
      const until = formatDateTime(erasedOn);
      return result({ erasedOn }, `The account is closed and will be erased on ${until}; users reopen ${id} stops it`);
    }
    case 'reopen':
      await people.reopen(id, act());
      return result({}, 'The account is open again; nothing will be erased');
  }
}

/** A key that was found is named by itself, one of a list by its id. */
async function revokeKey(
  named: string[],
  values: { reason: string; json: boolean },
  keys: ApiKeysService,
): Promise<string> {
  const [key, ...more] = named;
  if (key === undefined || more.length > 0) throw new InvalidOptionsError('revoke-key: one key, or its id');
  const revoked = await keys.revokeByOperator(key, commandAct('revoke-key', values.reason));
  return values.json
    ? `${JSON.stringify(revoked)}\n`
    : `The key ${revoked.hint}… of account ${revoked.userId} is revoked\n`;
}

function printKeys(keys: Awaited<ReturnType<ApiKeysService['exportKeys']>>, json: boolean): string {
  if (json) return `${JSON.stringify(keys)}\n`;
  const lines = keys.map(({ id, hint, name, createdAt, usedAt, revokedAt }) =>
    [
      ...[id, `${hint}…`, name, `since ${formatDateTime(createdAt)}`],
      revokedAt
        ? `revoked ${formatDateTime(revokedAt)}`
        : usedAt
          ? `last used ${formatDateTime(usedAt)}`
          : 'never used',
    ].join('\t'),
  );
  return `${[...lines, `${keys.length} keys`].join('\n')}\n`;
}

/** The file is for its owner only, and replaces no other one. */
async function writeNewFile(path: string, content: string): Promise<void> {
  await writeFile(path, content, { flag: 'wx', mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') throw new UnreadableFileError(`"${path}" is there already`);
    throw error;
  });
}

function printFound(people: ListedPerson[], json: boolean): string {
  if (json) return `${JSON.stringify(people)}\n`;
  const lines = people.map(
    ({ id, username, companyName, email, mobileNo, status }) =>
      `${id}\t${status}\t${username}, ${companyName}\t${email}\t${mobileNo}`,
  );
  return `${[...lines, `${people.length} accounts`].join('\n')}\n`;
}

function printPerson(person: PersonResponse, json: boolean): string {
  if (json) return `${JSON.stringify(person)}\n`;
  const { id, username, companyName, email, mobileNo, status, erasedOn, plans, locks, orders, events } = person;
  const facts: [string, string][] = [
    ['account', `${id}, ${status}${erasedOn ? `, erased on ${formatDateTime(erasedOn)}` : ''}`],
    ['name', `${username}, ${companyName}, ${person.companyType}`],
    ['contact', `${email}, ${mobileNo}, language ${person.language}`],
    ['places', [person.state, ...person.districts, ...person.departments].join(', ')],
    ['since', formatDate(person.createdAt)],
    ['role', person.role ?? 'none'],
    ['sessions', `${person.sessions}${person.lastUsedAt ? `, last used ${formatDateTime(person.lastUsedAt)}` : ''}`],
    ['alerts', `${person.alertDevices} devices, ${person.unreadNotices} unread notices`],
    ['stored', `${person.bookmarks} bookmarks, ${person.savedSearches} saved searches, ${person.orderCount} orders`],
    ...plans.map(planFact),
    ...locks.map(lockFact),
    ...orders.map(({ orderId, status: state, title, amountPaise, createdAt }): [string, string] => [
      'order',
      `${orderId} ${state} ${formatRupees(amountPaise / 100)} ${formatDate(createdAt)} ${title}`,
    ]),
    ...events.map(({ at, action, actorName, detail }): [string, string] => [
      'event',
      `${formatDateTime(at)} ${action} ${actorName ?? '-'} ${JSON.stringify(detail)}`,
    ]),
  ];
  return `${facts.map(([name, value]) => `${name.padEnd(9)}${value}`).join('\n')}\n`;
}

const planFact = ({
  id,
  planId,
  origin,
  status,
  endsAt,
  states,
}: PersonResponse['plans'][number]): [string, string] => [
  'plan',
  `${id} ${planId} ${origin} ${status} until ${formatDateTime(endsAt)} ${states.join(', ')}`.trim(),
];

function lockFact({ where, failuresInARow, lockedUntil, isFinal }: PersonResponse['locks'][number]): [string, string] {
  const end = isFinal
    ? 'locked until the password is reset'
    : lockedUntil && `locked until ${formatDateTime(lockedUntil)}`;
  return ['sign-in', `${failuresInARow} failures in a row (${where} browser), ${end || 'not locked'}`];
}
