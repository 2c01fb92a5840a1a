/** Runs a program of the product in a process of its own that has limits and reads nothing but what it is given. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire, findPackageJSON } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const CHECK_MS = 50;
/** How many times longer than its limit a program may take on a busy machine, where its start alone may take seconds. */
const BUSY_FACTOR = 10;
const MIN_BUSY_SECONDS = 60;
/** The unit of times in /proc, which Linux fixes for programs. */
const TICKS_PER_SECOND = 100;

export interface ProgramLimits {
  /** Of processor time. */
  seconds: number;
  heapMb: number;
  /** Memory with buffers, which are outside the heap. Memory and time are observed on Linux only. */
  memoryMb?: number;
  answerBytes?: number;
  /** Files and folders beside the program and the packages. */
  readable: string[];
  writable?: string[];
  allowWorker?: boolean;
}

/** The text that the program printed, or the limit that ended it. A full heap ends it without a text. */
export type ProgramEnd = { answer: string } | { exceeded: 'time' | 'memory' | 'answer' };

/** The file of a program in a folder of the source or of the build; `here` is the `import.meta` of a neighbour. */
export const programFile = (here: { dirname: string; filename: string }, name: string): string =>
  join(here.dirname, `${name}.${here.filename.endsWith('.ts') ? 'ts' : 'js'}`);

/** What Node lets the program do. Packages are in the folders in which Node looks for them. */
export function permissions(program: string, limits: Omit<ProgramLimits, 'seconds'>): string[] {
  const moduleFolders = (createRequire(program).resolve.paths('valibot') ?? []).filter((each) => existsSync(each));
  const readable = [...limits.readable, program, findPackageJSON(pathToFileURL(program)) ?? program, ...moduleFolders];
  return [
    `--max-old-space-size=${limits.heapMb}`,
    '--permission',
    ...(limits.allowWorker ? ['--allow-worker'] : []),
    ...(limits.writable ?? []).map((each) => `--allow-fs-write=${each}`),
    ...readable.map((each) => `--allow-fs-read=${each}`),
  ];
}

/** The program did not start, was not given its time, or ended by itself without an answer: the machine is at fault, not the input. */
export class ProgramFailedError extends Error {}

/** Rejects with a `ProgramFailedError`. */
export async function runLimitedProgram(
  program: string,
  programArguments: string[],
  limits: ProgramLimits,
): Promise<ProgramEnd> {
  const child = start(program, programArguments, limits);
  const maxSeconds = Math.max(MIN_BUSY_SECONDS, limits.seconds * BUSY_FACTOR);
  let exceeded: 'time' | 'memory' | 'answer' | undefined;
  const end = (limit: typeof exceeded) => {
    exceeded ??= limit;
    child.kill('SIGKILL');
  };
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    child.kill('SIGKILL');
  }, maxSeconds * 1_000);
  const check = setInterval(async () => {
    if (child.pid === undefined) return;
    const [megabytes, seconds] = await Promise.all([residentMb(child.pid), processorSeconds(child.pid)]);
    if (megabytes > (limits.memoryMb ?? Number.POSITIVE_INFINITY)) end('memory');
    if (seconds > limits.seconds) end('time');
  }, CHECK_MS);
  const chunks: Buffer[] = [];
  let bytes = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > (limits.answerBytes ?? Number.POSITIVE_INFINITY)) end('answer');
    else chunks.push(chunk);
  });
  let exitCode: number | null;
  try {
    exitCode = await new Promise((done, fail) => {
      child.once('error', (error) => fail(notStarted(error)));
      child.once('close', done);
    });
  } finally {
    clearTimeout(timer);
    clearInterval(check);
  }
  if (exceeded) return { exceeded };
  if (isLate) throw new ProgramFailedError(`The program had no end after ${maxSeconds} seconds`);
  if (bytes > 0) return { answer: String(Buffer.concat(chunks)) };
  // A full heap ends the program by a signal.
  if (exitCode === null) return { exceeded: 'memory' };
  throw new ProgramFailedError(`The program ended with code ${exitCode} and without an answer`);
}

const notStarted = (error: unknown) => new ProgramFailedError(`The program did not start: ${(error as Error).message}`);

function start(program: string, programArguments: string[], limits: ProgramLimits) {
  try {
    return spawn(process.execPath, [...permissions(program, limits), program, ...programArguments], {
      // No setting of this process, such as a secret, is passed on.
      env: {},
      stdio: ['ignore', 'pipe', 'ignore'],
      killSignal: 'SIGKILL',
    });
  } catch (error) {
    throw notStarted(error);
  }
}

/** 0 where the system does not tell. */
async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1_024;
}

/** 0 where the system does not tell. */
async function processorSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name of the program, in parentheses, may have spaces. User and system time are the fields 14 and 15.
  const [user = 0, system = 0] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number);
  return (user + system) / TICKS_PER_SECOND;
}
