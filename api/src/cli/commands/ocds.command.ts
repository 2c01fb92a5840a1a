/** The operator's command for the files of the OCDS export. */
import { parseArgs } from 'node:util';
import { formatBytes, formatDateTime } from '@nivida/contract/format';
import { InvalidOptionsError } from '../../base/config.ts';
import { OcdsDumpsService } from '../../data-out/ocds/ocds-dumps.service.ts';
import type { ServiceContext } from '../service-command.ts';

const YEAR_PATTERN = /^(?:19|20)\d\d$/;

/** Runs `ocds ARGS`. Returns the text for stdout. Throws InvalidOptionsError and OperatorError. */
export async function runOcds(args: string[], { find }: ServiceContext): Promise<string> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      state: { type: 'string' },
      year: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  const [command, ...more] = positionals;
  if ((command !== 'list' && command !== 'dump') || more.length > 0)
    throw new InvalidOptionsError('ocds: list or dump');
  const service = await find(OcdsDumpsService);
  const { state, year } = values;
  if (command === 'dump') {
    if (!state || !year || !YEAR_PATTERN.test(year))
      throw new InvalidOptionsError('dump needs --state NAME and --year YYYY');
    await service.write(state, Number(year));
  }
  const { dumps } = await service.list();
  if (values.json) return `${JSON.stringify(dumps)}\n`;
  const lines = dumps.map(({ url, records, bytes, madeAt }) =>
    [url, `${records} records`, formatBytes(bytes), formatDateTime(madeAt)].join('\t'),
  );
  return `${[...lines, `${dumps.length} files`].join('\n')}\n`;
}
