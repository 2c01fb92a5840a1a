/** The operator's commands for what all users read: the line in the app, and incidents. */
import { parseArgs } from 'node:util';
import { formatDateTime } from '@nivida/contract/format';
import { NOTICE_TONES } from '@nivida/contract/site/status';
import { InvalidOptionsError } from '../../base/config.ts';
import { IncidentsService } from '../../site-status/incidents.service.ts';
import { SiteNoticesService } from '../../site-status/site-notices.service.ts';
import { readInstantOption, readListedNumber, readTexts, TEXT_OPTION } from '../language-texts.ts';
import type { ServiceContext } from '../service-command.ts';
import { ACT_OPTIONS, commandAct } from './act-options.ts';

/** Runs `notices ARGS`: publish, end or list. Returns the notices afterwards. Throws InvalidOptionsError and AppError. */
export async function runNotices(args: string[], { find }: ServiceContext): Promise<string> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      ...ACT_OPTIONS,
      ...TEXT_OPTION,
      from: { type: 'string' },
      to: { type: 'string' },
      tone: { type: 'string', default: 'info' },
    },
  });
  const [command = '', id, ...more] = positionals;
  const isKnown = more.length === 0 && (command === 'end' || id === undefined);
  if (!isKnown || !['publish', 'end', 'list'].includes(command))
    throw new InvalidOptionsError('notices: publish, end ID or list');
  const notices = await find(SiteNoticesService);
  if (command === 'publish') {
    const tone = NOTICE_TONES.find((each) => each === values.tone);
    if (!tone) throw new InvalidOptionsError(`--tone is ${NOTICE_TONES.join(' or ')}`);
    const span = { startsAt: readInstantOption('from', values.from), endsAt: readInstantOption('to', values.to) };
    await notices.publish(
      { texts: readTexts(command, values.text), tone, ...span },
      commandAct(command, values.reason),
    );
  } else if (command === 'end') await notices.end(readListedNumber(command, id), commandAct(command, values.reason));
  const list = await notices.list();
  if (values.json) return `${JSON.stringify(list)}\n`;
  const lines = list.map(({ id, tone, starts_at, ends_at, texts }) => {
    const end = ends_at === null ? 'until it is ended' : `to ${formatDateTime(ends_at)}`;
    return `${id}\t${tone}\tfrom ${formatDateTime(starts_at)} ${end}\t${texts.en}`;
  });
  return `${[...lines, `${list.length} notices`].join('\n')}\n`;
}

/** Runs `incidents ARGS`: open, update, close or list. Returns the incidents afterwards. Throws InvalidOptionsError and AppError. */
export async function runIncidents(args: string[], { find }: ServiceContext): Promise<string> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { ...ACT_OPTIONS, ...TEXT_OPTION, from: { type: 'string' } },
  });
  const [command = '', id, ...more] = positionals;
  const isOfOne = command === 'update' || command === 'close';
  if (more.length > 0 || !(isOfOne || (['open', 'list'].includes(command) && id === undefined)))
    throw new InvalidOptionsError('incidents: open, update ID, close ID or list');
  const incidents = await find(IncidentsService);
  if (command !== 'list') {
    const texts = readTexts(command, values.text);
    const act = commandAct(command, values.reason);
    if (command === 'open') await incidents.open(texts, act, readInstantOption('from', values.from));
    else if (isOfOne) await incidents[command](readListedNumber(command, id), texts, act);
  }
  const list = await incidents.list();
  if (values.json) return `${JSON.stringify(list)}\n`;
  const lines = list.flatMap(({ id, started_at, ended_at, updates }) => [
    `${id}\tsince ${formatDateTime(started_at)}${ended_at === null ? ', lasts' : `, ended ${formatDateTime(ended_at)}`}`,
    ...updates.map(({ at, texts }) => `\t${formatDateTime(at)}\t${texts.en}`),
  ]);
  return `${[...lines, `${list.length} incidents in 90 days`].join('\n')}\n`;
}
