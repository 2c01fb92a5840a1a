/** The operator's command for messages to support. */
import { randomUUID } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import type { DeskThread, DeskThreadSummary } from '@nivida/contract/desk/messages';
import { formatDateTime } from '@nivida/contract/format';
import { MAX_ATTACHMENT_BYTES, MAX_ATTACHMENTS } from '@nivida/contract/limits';
import { THREAD_STATES, ThreadText } from '@nivida/contract/support/threads';
import { safeParse, UUID_REGEX } from 'valibot';
import { InvalidOptionsError } from '../../base/config.ts';
import { DeskMessagesService } from '../../desk/messages/desk-messages.service.ts';
import type { ServiceContext } from '../service-command.ts';
import { ACT_OPTIONS, commandAct } from './act-options.ts';

// Messages are untrusted: characters that move the cursor or hide text in a terminal are not printed.
const UNSAFE_TERMINAL_CHARACTERS = /[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu;

/** Runs `messages ARGS`: list, show, answer, close or reopen. Returns the text for stdout. Throws InvalidOptionsError and AppError. */
export async function runMessages(args: string[], { find }: ServiceContext): Promise<string> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      ...ACT_OPTIONS,
      state: { type: 'string', default: 'all' },
      find: { type: 'string', default: '' },
      page: { type: 'string', default: '1' },
      file: { type: 'string', multiple: true, default: [] },
      'text-file': { type: 'string' },
    },
  });
  const [command = '', ...rest] = positionals;
  const messages = await find(DeskMessagesService);
  const print = (thread: DeskThread) => (values.json ? `${JSON.stringify(thread)}\n` : threadText(thread));
  if (command === 'list') {
    if (rest.length > 0) throw new InvalidOptionsError('list takes no words; --find TEXT searches');
    const state = [...THREAD_STATES, 'all' as const].find((each) => each === values.state);
    const page = Number(values.page);
    if (!state || !Number.isInteger(page) || page < 1)
      throw new InvalidOptionsError(`list: --state ${THREAD_STATES.join('|')}|all, --page from 1`);
    const found = await messages.list({ state, q: values.find, page });
    if (values.json) return `${JSON.stringify(found.threads)}\n`;
    const { waiting, answered, closed } = found.counts;
    const counts = `${waiting} waiting, ${answered} answered, ${closed} closed`;
    return `${[...found.threads.map(summaryText), counts].join('\n')}\n`;
  }
  const id = readId(command, rest);
  if (command === 'show') return print(await messages.read(id));
  if (command === 'answer') {
    const textFile = values['text-file'];
    const text = readText(textFile === undefined ? rest[1] : await readFile(textFile, 'utf8'));
    const files = await readFiles(values.file);
    const act = commandAct(command, values.reason || 'Answered by command');
    return print(await messages.answer(act, id, { messageId: randomUUID(), text, files }));
  }
  const act = commandAct(command, values.reason);
  return print(command === 'close' ? await messages.close(act, id) : await messages.reopen(act, id));
}

function readId(command: string, [id = '', ...more]: string[]): string {
  if (!['show', 'answer', 'close', 'reopen'].includes(command))
    throw new InvalidOptionsError('messages: list, show, answer, close or reopen');
  if (!UUID_REGEX.test(id)) throw new InvalidOptionsError(`${command}: name one message; messages list shows them`);
  if (more.length > (command === 'answer' ? 1 : 0)) throw new InvalidOptionsError(`${command}: too many words`);
  return id.toLowerCase();
}

function readText(given: string | undefined): string {
  const { success, output } = safeParse(ThreadText, given);
  if (!success) throw new InvalidOptionsError('answer needs a text of 1 to 5,000 characters, or --text-file FILE');
  return output;
}

async function readFiles(paths: readonly string[]): Promise<{ name: string; content: Buffer }[]> {
  if (paths.length > MAX_ATTACHMENTS) throw new InvalidOptionsError(`answer takes at most ${MAX_ATTACHMENTS} files`);
  const files: { name: string; content: Buffer }[] = [];
  for (const path of paths) {
    const { size } = await stat(path);
    if (size === 0 || size > MAX_ATTACHMENT_BYTES) throw new InvalidOptionsError(`${path}: a file has 1 byte to 5 MB`);
    files.push({ name: basename(path), content: await readFile(path) });
  }
  return files;
}

const safe = (text: string): string => text.replace(UNSAFE_TERMINAL_CHARACTERS, ' ');

const since = ({ waitingSince, updatedAt }: DeskThreadSummary): string =>
  formatDateTime(new Date(waitingSince ?? updatedAt));

const summaryText = (thread: DeskThreadSummary): string =>
  safe(
    [
      thread.id,
      thread.state,
      since(thread),
      thread.isVisitor ? `${thread.name} (visitor)` : thread.name,
      thread.subject,
    ].join('\t'),
  );

function threadText(thread: DeskThread): string {
  const { email, mobile, company, order, tender, messages } = thread;
  const lines = [
    summaryText(thread),
    [email, mobile, company].filter(Boolean).join(', '),
    ...(order ? [`Order ${order.id}: ${order.title}, ${order.status}`] : []),
    ...(tender ? [`Tender ${tender.id}: ${tender.title}`] : []),
    ...messages.map(({ sender, staffName, text, createdAt, attachments }) => {
      const head = `${formatDateTime(new Date(createdAt))}\t${staffName ?? sender}`;
      const files = attachments.map(({ name, bytes }) => `  [${name}, ${bytes} bytes]`);
      return [head, text.replaceAll(/^/gm, '  '), ...files].join('\n');
    }),
  ];
  return `${safe(lines.join('\n'))}\n`;
}
