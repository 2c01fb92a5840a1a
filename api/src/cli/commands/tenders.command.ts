/** The operator's command for single tenders: hide them, correct their fields, and close reports of mistakes. */
import { parseArgs } from 'node:util';
import {
  CloseReportRequest,
  CORRECTABLE_FIELDS,
  type CorrectableField,
  type TenderStages,
} from '@nivida/contract/desk/tenders';
import { formatDateTime } from '@nivida/contract/format';
import { MAX_INTEGER_ID } from '@nivida/contract/limits';
import { safeParse, UUID_REGEX } from 'valibot';
import type { OperatorAct } from '../../audit/record-act.ts';
import { InvalidOptionsError } from '../../base/config.ts';
import { DeskTendersService } from '../../desk/tenders/desk-tenders.service.ts';
import { ReportActsService } from '../../desk/tenders/report-acts.service.ts';
import { CorrectionsService } from '../../ingest/corrections/corrections.service.ts';
import { HideTendersService } from '../../tenders/hide-tenders.service.ts';
import { TenderReportsService } from '../../tenders/reports/tender-reports.service.ts';
import type { ServiceContext } from '../service-command.ts';
import { ACT_OPTIONS, commandAct } from './act-options.ts';

/** An act on one tender. Returns what happened. */
type TenderAct = (id: number, args: string[], act: OperatorAct) => Promise<string>;

/** Runs `tenders ARGS`. Returns the text for stdout. Throws InvalidOptionsError and AppError. */
export async function runTenders(args: string[], { find }: ServiceContext): Promise<string> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { ...ACT_OPTIONS, answer: { type: 'string', default: '' } },
  });
  const [command = '', id, ...more] = positionals;
  if (command === 'show') {
    takeNoMore('show', more);
    const stages = await (await find(DeskTendersService)).show(readId(id));
    return values.json ? `${JSON.stringify(stages)}\n` : `${stageLines(stages).join('\n')}\n`;
  }
  if (command === 'reports') return runReports([id, ...more], find, values);
  const acts: Record<string, TenderAct> = {
    hide: async (tender, rest, act) => {
      takeNoMore('hide', rest);
      await (await find(HideTendersService)).hide(tender, act);
      return 'is hidden; npm run tenders -- unhide shows it again';
    },
    unhide: async (tender, rest, act) => {
      takeNoMore('unhide', rest);
      await (await find(HideTendersService)).unhide(tender, act);
      return 'is shown again';
    },
    correct: async (tender, [name, value, ...rest], act) => {
      if (value === undefined || rest.length > 0)
        throw new InvalidOptionsError("correct: name a tender, a field and its value; '' empties the field");
      const field = readField(name);
      await (await find(CorrectionsService)).correct(tender, { field, value }, act);
      return `has another ${field}, until its source changes it`;
    },
    uncorrect: async (tender, [name, ...rest], act) => {
      takeNoMore('uncorrect', rest);
      const field = readField(name);
      await (await find(CorrectionsService)).uncorrect(tender, field, act);
      return `has the ${field} of its source again`;
    },
  };
  const act = acts[command];
  if (!act) throw new InvalidOptionsError(`tenders: show, reports, ${Object.keys(acts).join(', ')}`);
  const tender = readId(id);
  const said = await act(tender, more, commandAct(command, values.reason));
  return values.json ? `${JSON.stringify({ id: tender, act: command })}\n` : `Tender ${tender} ${said}\n`;
}

/** Runs `tenders reports ARGS`. */
async function runReports(
  [command, id = '', ...more]: (string | undefined)[],
  find: ServiceContext['find'],
  { json: isJson, reason, answer }: { json: boolean; reason: string; answer: string },
): Promise<string> {
  const reports = await find(TenderReportsService);
  if (command === 'list' && id === '') {
    const { reports: open, count } = await reports.listOpen();
    if (isJson) return `${JSON.stringify(open)}\n`;
    const lines = open.map((report) =>
      [
        report.id,
        report.tenderId,
        formatDateTime(report.createdAt),
        report.kind,
        report.userId === null ? 'signed out' : 'with an account',
        report.text.replaceAll(/\s+/g, ' '),
      ].join('\t'),
    );
    const left = count - open.length;
    return [...lines, left > 0 ? `${count} open, ${left} newer ones are not listed` : `${count} open`, ''].join('\n');
  }
  if ((command !== 'close' && command !== 'reopen') || more.length > 0)
    throw new InvalidOptionsError('tenders reports: list, close REPORT, reopen REPORT');
  if (!UUID_REGEX.test(id))
    throw new InvalidOptionsError('name a report by its id, as "tenders reports list" shows it');
  const act = commandAct(`reports ${command}`, reason);
  if (command === 'reopen') await reports.reopen(id, act);
  else await (await find(ReportActsService)).close(act, { id, answer: readAnswer(answer) });
  return isJson
    ? `${JSON.stringify({ id, act: command })}\n`
    : `Report ${id} is ${command === 'close' ? 'closed' : 'open again'}\n`;
}

function readAnswer(given: string): string {
  const { success, output } = safeParse(CloseReportRequest.entries.answer, given);
  if (!success) throw new InvalidOptionsError('--answer takes a text of at most 5,000 characters');
  return output;
}

/** The stages of a tender, one line each, with what belongs to a stage below it. */
function stageLines(stages: TenderStages): string[] {
  const { source, place, department, published, hidden } = stages;
  const value = (text: unknown) => (text === null || text === '' ? 'none' : String(text));
  const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim();
  const below = (lines: string[]) => lines.map((line) => `\t${line}`);
  return [
    `${stages.id}\t${stages.title}`,
    `source\t${source.portal} ${source.id}, read ${formatDateTime(source.last_read_at)}, this version since ${formatDateTime(source.first_read_at)}`,
    ...source.rows.flatMap((row) => [
      `${row.is_listed ? 'list' : 'row'}\t${row.file}, line ${row.line}, read ${formatDateTime(row.read_at)}`,
      ...below(
        row.cells.map(({ column, value: cell }) => `${oneLine(column)}\t${cell === '' ? 'empty' : oneLine(cell)}`),
      ),
    ]),
    ...source.releases.map((release) => `release\t${JSON.stringify(release)}`),
    'read as',
    ...below(stages.read_as.map((each) => `${each.field}\t${value(each.value)}`)),
    `place\t${value(place.district)}${place.second_district ? ` and ${place.second_district}` : ''}, confidence ${value(place.confidence)}`,
    ...below(place.evidence.map(({ from, text, district }) => `${from} "${text}" names ${district}`)),
    `department\t${value(department.name)}, ${department.is_listed ? 'known' : 'not known, so the first level'} of ${department.organisation.join(' / ')}`,
    `published\t${hidden ? 'hidden' : `${formatDateTime(published.at)}${published.is_public ? '' : ', not yet public'}`}`,
    ...stages.changes.map(
      ({ at, kind, changes }) =>
        `${kind}\t${formatDateTime(at)}${changes.map((each) => `\n\t${each.field}: ${value(each.old)} -> ${value(each.new)}`).join('')}`,
    ),
    ...stages.alerts.map(({ kind, count }) => `alerts\t${kind}: ${count}`),
    ...stages.corrections.map(
      ({ field, value: now, source_value, at, reason, ended_because }) =>
        `corrected\t${field}: ${value(source_value)} -> ${value(now)}, ${formatDateTime(at)}, ${reason}${ended_because ? `, ended by ${ended_because}` : ''}`,
    ),
    ...stages.reports.map(
      ({ at, kind, text, closed_reason }) =>
        `reported\t${formatDateTime(at)}, ${kind}: ${text}${closed_reason === null ? '' : `, closed: ${closed_reason}`}`,
    ),
    ...(stages.more_reports > 0 ? [`reported\t${stages.more_reports} older reports are not listed`] : []),
    ...(hidden ? [`hidden\t${formatDateTime(hidden.at)}, ${hidden.reason}`] : []),
  ];
}

function readId(text = ''): number {
  const id = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : 0;
  if (id < 1 || id > MAX_INTEGER_ID) throw new InvalidOptionsError('name a tender by the number in its address');
  return id;
}

function readField(name: string | undefined): CorrectableField {
  const field = CORRECTABLE_FIELDS.find((each) => each === name);
  if (!field) throw new InvalidOptionsError(`a field is one of ${CORRECTABLE_FIELDS.join(', ')}`);
  return field;
}

function takeNoMore(command: string, rest: readonly string[]): void {
  if (rest.length > 0) throw new InvalidOptionsError(`${command}: there is more than it takes: ${rest.join(' ')}`);
}
