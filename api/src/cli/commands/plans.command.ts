/** The operator's commands for plans that are given. */
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { GrantedPlan, ListedGift } from '@nivida/contract/desk/people';
import { emailField } from '@nivida/contract/fields';
import { formatDateTime, indianDay } from '@nivida/contract/format';
import { PLAN_IDS } from '@nivida/contract/orders/plans';
import { dayText, isDay } from '@nivida/contract/time';
import { safeParse } from 'valibot';
import type { OperatorAct } from '../../audit/record-act.ts';
import { maskEmail } from '../../auth/security-events.service.ts';
import { AppError } from '../../base/app-error.ts';
import { InvalidOptionsError } from '../../base/config.ts';
import { OperatorError } from '../../base/operator-error.ts';
import { PeopleService } from '../../desk/people/people.service.ts';
import { UnreadableFileError } from '../../ingest/source-tender.ts';
import { type Gift, GiftsService, type GivenGift } from '../../plans/gifts.service.ts';
import type { ServiceContext } from '../service-command.ts';
import { ACT_OPTIONS, commandAct } from './act-options.ts';

const MAX_DAYS = 3_660;

/** Runs `plans ARGS`; returns the text for stdout. Throws InvalidOptionsError, UnreadableFileError, OperatorError and AppError. */
export async function runPlans(args: string[], context: ServiceContext): Promise<string> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      ...ACT_OPTIONS,
      to: { type: 'string' },
      file: { type: 'string' },
      until: { type: 'string' },
      days: { type: 'string' },
      states: { type: 'string' },
      page: { type: 'string', default: '1' },
    },
  });
  const [command, subject, ...more] = positionals;
  if (more.length > 0) throw new InvalidOptionsError('plans: list, grant or end, with one argument');
  const gifts = await context.find(GiftsService);
  if (command === 'list') return listPlans(subject, values, context, gifts);
  if (command === 'end') {
    if (subject === undefined) throw new InvalidOptionsError('end: name the id that plans -- list shows');
    await gifts.end(subject, commandAct('end', values.reason));
    return values.json ? `${JSON.stringify({ id: subject })}\n` : 'The plan has ended\n';
  }
  if (command !== 'grant') throw new InvalidOptionsError('plans: list, grant or end');
  const planId = PLAN_IDS.find((each) => each === subject);
  if (!planId) throw new InvalidOptionsError(`grant: name a plan, ${PLAN_IDS.join('|')}`);
  const act = commandAct('grant', values.reason);
  const until = readUntil(values, context.now);
  const states = values.states?.split(',').map((name) => name.trim());
  const emails = await readEmails(values);
  return grant({ gifts, act, gift: { planId, until, states }, emails, json: values.json });
}

function readUntil({ until, days }: { until?: string; days?: string }, now: Date): string {
  if ((until === undefined) === (days === undefined))
    throw new InvalidOptionsError('grant needs --until YYYY-MM-DD or --days N');
  if (until !== undefined) {
    if (!isDay(until)) throw new InvalidOptionsError('--until must be a day: YYYY-MM-DD');
    return until;
  }
  const count = /^\d{1,4}$/.test(days ?? '') ? Number(days) : 0;
  if (count < 1 || count > MAX_DAYS) throw new InvalidOptionsError(`--days must be 1 to ${MAX_DAYS}`);
  return dayText(indianDay(now) + count);
}

/** The addresses of the command or of its file, which has one in each line; other columns and lines with # are ignored. */
async function readEmails({ to, file }: { to?: string; file?: string }): Promise<string[]> {
  if ((to === undefined) === (file === undefined))
    throw new InvalidOptionsError('grant needs --to MAIL or --file FILE');
  if (to !== undefined) return [to];
  const text = await readFile(file ?? '', 'utf8').catch(() => {
    throw new UnreadableFileError(`There is no file "${file}"`);
  });
  const cells = text.split(/\r?\n/).map(
    (line) =>
      line
        .replace(/^\ufeff/, '')
        .split(/[,;\t]/, 1)[0]
        ?.trim() ?? '',
  );
  return cells.filter((cell) => cell !== '' && !cell.startsWith('#') && !/^"?e-?mail"?$/i.test(cell));
}

interface GrantOptions {
  gifts: GiftsService;
  act: OperatorAct;
  gift: Omit<Gift, 'email'>;
  emails: string[];
  json: boolean;
}

/** A row of the report; `refused` says why nothing was given. */
type GrantRow = { row: number; email: string } & (GivenGift | { outcome: 'refused'; reason: string });

async function grant({ gifts, act, gift, emails, json }: GrantOptions): Promise<string> {
  const rows: GrantRow[] = [];
  for (const [index, text] of emails.entries()) {
    const { success, output } = safeParse(emailField, text);
    const row = { row: index + 1, email: success ? maskEmail(output) : '' };
    if (!success) rows.push({ ...row, outcome: 'refused', reason: 'is not an e-mail address' });
    else rows.push({ ...row, ...(await gifts.give({ ...gift, email: output }, act).catch(refusal)) });
  }
  const refused = rows.filter(({ outcome }) => outcome === 'refused').length;
  if (emails.length === 1 && refused === 1) throw new OperatorError(rows.map(reasonOf).join());
  const count = (wanted: GrantRow['outcome']) => rows.filter(({ outcome }) => outcome === wanted).length;
  const waiting = rows.filter((row) => 'hasAccount' in row && !row.hasAccount).length;
  const sums = { given: count('given'), changed: count('changed'), unchanged: count('unchanged'), refused, waiting };
  if (json) return `${JSON.stringify({ rows, ...sums })}\n`;
  const lines = rows.map((row) => [row.row, row.email, row.outcome, noteOf(row)].join('\t').trimEnd());
  const summary = Object.entries(sums).map(([name, number]) => `${name} ${number}`);
  return `${[...lines, summary.join(', ')].join('\n')}\n`;
}

/** An error about one row; every other error ends the command. */
function refusal(error: unknown): { outcome: 'refused'; reason: string } {
  if (error instanceof AppError) return { outcome: 'refused', reason: error.message };
  throw error;
}

const reasonOf = (row: GrantRow): string => ('reason' in row ? row.reason : '');

function noteOf(row: GrantRow): string {
  if ('reason' in row) return row.reason;
  return row.hasAccount ? `plan ${row.id}` : `plan ${row.id}, waits until an account with this address is registered`;
}

async function listPlans(
  subject: string | undefined,
  { page, json }: { page: string; json: boolean },
  { find }: ServiceContext,
  gifts: GiftsService,
): Promise<string> {
  if (!/^[1-9]\d{0,5}$/.test(page)) throw new InvalidOptionsError('--page must be 1 or more');
  const plans = subject === undefined ? await gifts.list({ page: Number(page) }) : await plansOf(subject, find, gifts);
  if (json) return `${JSON.stringify(plans)}\n`;
  const lines = plans.map((plan: GrantedPlan | ListedGift) =>
    [
      plan.id,
      plan.planId,
      plan.origin,
      plan.status,
      `until ${formatDateTime(plan.endsAt)}`,
      plan.states.join(', ') || '-',
      'email' in plan ? (plan.userId ?? `${plan.email}, no account yet`) : '',
    ]
      .join('\t')
      .trimEnd(),
  );
  return `${[...lines, `${plans.length} plans`].join('\n')}\n`;
}

/** The plans of an account, or those that wait for one with this e-mail address. */
async function plansOf(text: string, find: ServiceContext['find'], gifts: GiftsService): Promise<GrantedPlan[]> {
  const [person] = await (await find(PeopleService)).find(text);
  return person ? gifts.listOf(person.id) : gifts.list({ email: text });
}
