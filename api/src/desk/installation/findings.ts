import { DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS } from '@nivida/contract/time';

/** Findings of `doctor`. Each is one line with the state and, unless it is good, what to do. */

const LEVELS = ['ok', 'warning', 'failure'] as const;

/** One line. The level is also the exit code: 0 ok, 1 warning, 2 failure. */
export interface Finding {
  level: (typeof LEVELS)[number];
  subject: string;
  text: string;
  /** Repairs it as it stands, in the folder of Nivida. */
  command?: string;
}

export const ok = (subject: string, text: string): Finding => ({ level: 'ok', subject, text });
export const warning = (subject: string, text: string, command?: string): Finding => ({
  ...{ level: 'warning', subject, text },
  ...(command !== undefined && { command }),
});
export const failure = (subject: string, text: string, command?: string): Finding => ({
  ...warning(subject, text, command),
  level: 'failure',
});

const SECTIONS: Partial<Record<string, string>> = {
  backup: 'docs/operations.md, Backup',
  jobs: 'docs/operations.md, Jobs',
  packs: 'docs/operations.md, Jobs',
  mail: 'docs/runbook.md, Mail or push service down',
  push: 'docs/runbook.md, Mail or push service down',
  disk: 'docs/runbook.md, Database full or read-only',
};

/** The section of the documents that says more of a finding. */
export const sectionOf = ({ subject }: Finding): string => SECTIONS[subject] ?? 'docs/runbook.md, Alerts';

/** The lines of the findings. */
export const formatFindings = (findings: readonly Finding[]): string =>
  findings.map(({ level, subject, text }) => `${level.padEnd(7)}  ${subject}: ${text}\n`).join('');

/** The exit code of the worst finding. */
export const worstLevel = (findings: readonly Finding[]): number =>
  Math.max(0, ...findings.map(({ level }) => LEVELS.indexOf(level)));

/** '3 days', '2 hours', '5 minutes' or '1 second': whole units, rounded down. */
export function describeAge(seconds: number): string {
  const [size, unit] =
    seconds >= 2 * DAY_SECONDS
      ? [DAY_SECONDS, 'days']
      : seconds >= 2 * HOUR_SECONDS
        ? [HOUR_SECONDS, 'hours']
        : seconds >= 2 * MINUTE_SECONDS
          ? [MINUTE_SECONDS, 'minutes']
          : [1, 'seconds'];
  const count = Math.floor(seconds / size);
  return `${count} ${count === 1 ? unit.slice(0, -1) : unit}`;
}
