/** The operator's command for single tenders: hide them, and correct their fields. */
import { parseArgs } from 'node:util';
import { CORRECTABLE_FIELDS, type CorrectableField } from '@nivida/contract/desk/tenders';
import { MAX_INTEGER_ID } from '@nivida/contract/limits';
import type { OperatorAct } from '../../audit/record-act.ts';
import { InvalidOptionsError } from '../../base/config.ts';
import { CorrectionsService } from '../../ingest/corrections/corrections.service.ts';
import { HideTendersService } from '../../tenders/hide-tenders.service.ts';
import type { ServiceContext } from '../service-command.ts';
import { ACT_OPTIONS, commandAct } from './act-options.ts';

/** An act on one tender. Returns what happened. */
type TenderAct = (id: number, args: string[], act: OperatorAct) => Promise<string>;

/** Runs `tenders ARGS`. Returns the text for stdout. Throws InvalidOptionsError and AppError. */
export async function runTenders(args: string[], { find }: ServiceContext): Promise<string> {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: ACT_OPTIONS });
  const [command = '', id, ...more] = positionals;
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
  if (!act) throw new InvalidOptionsError(`tenders: ${Object.keys(acts).join(', ')}`);
  const tender = readId(id);
  const said = await act(tender, more, commandAct(command, values.reason));
  return values.json ? `${JSON.stringify({ id: tender, act: command })}\n` : `Tender ${tender} ${said}\n`;
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
