/** The operator's commands for messages to many accounts. */
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { formatDateTime } from '@nivida/contract/format';
import { type Language, languages } from '@nivida/contract/languages';
import { InvalidOptionsError } from '../../base/config.ts';
import { OperatorError } from '../../base/operator-error.ts';
import {
  type ListedMailing,
  type Mailing,
  MailingsService,
  type MailingText,
} from '../../desk/mailings/mailings.service.ts';
import { PeopleService } from '../../desk/people/people.service.ts';
import { UnreadableFileError } from '../../ingest/source-tender.ts';
import type { ServiceContext } from '../service-command.ts';
import { ACT_OPTIONS, commandAct } from './act-options.ts';

const MAX_SUBJECT_CHARACTERS = 150;
const MAX_TEXT_CHARACTERS = 10_000;

/** The services, and the terminal: `ask` is undefined without one. */
export interface MailContext extends ServiceContext {
  log(line: string): void;
  ask?: ((question: string) => Promise<string>) | undefined;
}

/** Runs `mail ARGS`; returns the text for stdout. Throws InvalidOptionsError, UnreadableFileError, OperatorError and AppError. */
export async function runMail(args: string[], context: MailContext): Promise<string> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      ...ACT_OPTIONS,
      name: { type: 'string', default: '' },
      text: { type: 'string', multiple: true, default: [] },
      file: { type: 'string' },
      account: { type: 'string', multiple: true, default: [] },
      yes: { type: 'boolean', default: false },
    },
  });
  const [command, name, ...more] = positionals;
  const mailings = await context.find(MailingsService);
  if (more.length > 0 || (name === undefined) === (command === 'stop'))
    throw new InvalidOptionsError('mail: all, affected, list, or stop with a name');
  if (command === 'list') return printMailings(await mailings.list(), values.json);
  if (command === 'stop') {
    await mailings.stop(name ?? '', commandAct('stop', values.reason));
    return printMailings(await mailings.list(), values.json);
  }
  if (command !== 'all' && command !== 'affected') throw new InvalidOptionsError('mail: all, affected, list or stop');
  if (!/^[a-z0-9][a-z0-9-]{1,60}$/.test(values.name))
    throw new InvalidOptionsError(`${command} needs a --name of small letters, digits and dashes: breach-2026-11`);
  const act = commandAct(command, values.reason);
  const texts = await readTexts(values.text);
  const userIds = command === 'all' ? null : await readAccounts(values, context);
  const mailing: Mailing = { name: values.name, texts, userIds };
  const counts = await mailings.preview(mailing);
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  for (const [language, { subject, paragraphs }] of Object.entries(texts)) {
    const { count = 0 } = counts.find((each) => each.language === language) ?? {};
    context.log([`--- ${language}, ${count} accounts`, `Subject: ${subject}`, '', paragraphs.join('\n\n')].join('\n'));
  }
  if (!values.yes) await confirm(total, context);
  const added = await mailings.start(mailing, act);
  if (values.json) return `${JSON.stringify({ name: values.name, added })}\n`;
  return `${added} accounts were added; workers send the mails, and mail list shows how far they are\n`;
}

/** Throws InvalidOptionsError unless the operator types the number of accounts. */
async function confirm(total: number, { ask }: MailContext): Promise<void> {
  if (!ask) throw new InvalidOptionsError('without a terminal it needs --yes');
  const typed = await ask(
    `This mail goes to ${total} accounts and cannot be taken back.\nType their number to send it: `,
  );
  if (typed.trim() !== String(total)) throw new InvalidOptionsError('this is not their number: nothing was sent');
}

/** The texts of options like `en=FILE`. */
async function readTexts(options: string[]): Promise<Mailing['texts']> {
  const texts: Mailing['texts'] = {};
  for (const option of options) {
    const [, code, path = ''] = /^([a-z]{2,3})=(.+)$/.exec(option) ?? [];
    const language: Language | undefined = languages().find((each) => each === code);
    if (!language)
      throw new InvalidOptionsError(
        `--text is ${languages()
          .map((each) => `${each}=FILE`)
          .join(' or ')}`,
      );
    texts[language] = parseText(path, await readLines(path));
  }
  if (!texts.en)
    throw new InvalidOptionsError('--text en=FILE is needed, and one for each other language of the accounts');
  return texts;
}

/** The first line is the subject, an empty line follows, and empty lines divide the paragraphs. */
function parseText(path: string, lines: string[]): MailingText {
  const [subject = '', gap, ...rest] = lines;
  const paragraphs = rest
    .join('\n')
    .split(/\n\s*\n/)
    .map((each) => each.trim())
    .filter(Boolean);
  const length = rest.join('\n').length;
  if (subject.trim() === '' || gap?.trim() !== '' || paragraphs.length === 0)
    throw new UnreadableFileError(`"${path}" needs its subject in the first line, an empty line, and the text`);
  if (subject.length > MAX_SUBJECT_CHARACTERS || length > MAX_TEXT_CHARACTERS)
    throw new UnreadableFileError(
      `"${path}" is too long: ${MAX_SUBJECT_CHARACTERS} characters for the subject, ${MAX_TEXT_CHARACTERS} for the text`,
    );
  return { subject: subject.trim(), paragraphs };
}

/** The ids of the accounts of the options and of the file. Throws OperatorError for one that does not exist. */
async function readAccounts(
  { file, account }: { file?: string | undefined; account: string[] },
  { find }: ServiceContext,
): Promise<string[]> {
  const lines = file === undefined ? [] : await readLines(file);
  const named = [...account, ...lines.map((line) => line.trim())].filter(
    (line) => line !== '' && !line.startsWith('#'),
  );
  if (named.length === 0) throw new InvalidOptionsError('affected needs --file FILE or --account ACCOUNT');
  const people = await find(PeopleService);
  const ids: string[] = [];
  const unknown: number[] = [];
  for (const [index, text] of named.entries()) {
    const [person] = await people.find(text);
    if (person) ids.push(person.id);
    else unknown.push(index + 1);
  }
  if (unknown.length > 0)
    throw new OperatorError(
      `${unknown.length} of ${named.length} name no account, the first is number ${unknown[0]}; nothing was sent`,
    );
  return [...new Set(ids)];
}

async function readLines(path: string): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new UnreadableFileError(`There is no file "${path}"`);
  });
  return text.replace(/^\ufeff/, '').split(/\r?\n/);
}

function printMailings(mailings: ListedMailing[], json: boolean): string {
  if (json) return `${JSON.stringify(mailings)}\n`;
  const lines = mailings.map(({ name, startedAt, stoppedAt, recipients, queued }) => {
    const state = stoppedAt ? 'stopped' : queued < recipients ? 'being sent' : 'sent';
    return `${name}\t${state}\t${queued} of ${recipients}\tsince ${formatDateTime(startedAt)}`;
  });
  return `${[...lines, `${mailings.length} messages`].join('\n')}\n`;
}
