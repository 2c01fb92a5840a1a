/** Built web and worker processes on one database, started, killed and restarted as by a supervisor. */
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../../../../e2e/support/servers.ts';
import { deriveVapidKeys } from '../../../src/base/vapid-keys.ts';
import { toDatabaseUrl } from '../../../test/support/programs.ts';
import { type BenchDatabase, nextMessage, type Workspace } from '../workspace.ts';

export const BENCH_VAPID_KEYS = deriveVapidKeys('the key of the benchmark');
export const BENCH_SESSION_KEY = randomBytes(32).toString('hex');
export const BENCH_ORIGIN = 'http://localhost:3000';
const START_TIMEOUT_MS = 90_000;
const REQUEST_TIMEOUT_MS = 15_000;
/** NODE_OPTIONS that make a process report its heap on request; no spaces allowed. */
export const HEAP_REPORT_ENV: NodeJS.ProcessEnv = {
  NODE_OPTIONS: `--expose-gc --import=data:text/javascript,${encodeURIComponent(
    'process.on("message",()=>{gc();gc();process.send({heapBytes:process.memoryUsage().heapUsed})})',
  )}`,
};

/** Settings of a benchmark that buys nothing, and so needs no payment sandbox. */
export const SELLS_NOTHING: NodeJS.ProcessEnv = { PAYMENT_PROVIDER: 'none' };

/** The settings of all processes; they share only database, folder and payment sandbox. */
export function serverSettings(
  { address }: Pick<BenchDatabase, 'address'>,
  more: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv {
  return {
    // Production mode would neither push to this machine nor sell in the sandbox.
    NODE_ENV: 'test',
    DATABASE_URL: toDatabaseUrl(address),
    SESSION_KEYS: BENCH_SESSION_KEY,
    OTP_PEPPER: randomBytes(32).toString('hex'),
    VAPID_PUBLIC_KEY: BENCH_VAPID_KEYS.publicKey,
    VAPID_PRIVATE_KEY: BENCH_VAPID_KEYS.privateKey,
    MAIL_FROM: 'no-reply@nivida.example',
    SUPPORT_EMAIL: 'support@nivida.example',
    PUBLIC_ORIGIN: BENCH_ORIGIN,
    DRAIN_SECONDS: '0',
    ...more,
  };
}

/** One process. It is restarted whenever it ends, until the benchmark ends. */
export class ServerProcess {
  /** Unexpected ends after it was ready. */
  crashes = 0;
  /** Ends before it was ready, for example without a database. */
  failedStarts = 0;
  private child: ChildProcess | undefined;
  private isKilled = false;
  private isOver = false;
  private ready: Promise<void> = Promise.resolve();

  private constructor(
    readonly role: string,
    readonly port: number,
    private readonly launch: () => ChildProcess,
  ) {}

  /** Starts a process and waits until it is ready. */
  static async start(
    workspace: Workspace,
    role: 'web' | 'worker',
    env: NodeJS.ProcessEnv,
    before: string[] = [],
  ): Promise<ServerProcess> {
    const port = await freePort();
    const settings = { DATA_DIR: workspace.folder, ...env, ROLE: env.ROLE ?? role, PORT: String(port) };
    return ServerProcess.supervise(role, port, () =>
      workspace.start(join(import.meta.dirname, 'main.js'), [], settings, before),
    );
  }

  /** Runs any program that prints 'ready', and waits until it has. */
  static async supervise(role: string, port: number, launch: () => ChildProcess): Promise<ServerProcess> {
    const member = new ServerProcess(role, port, launch);
    member.launchProcess();
    await member.isReady();
    return member;
  }

  get pid(): number {
    return this.child?.pid ?? 0;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** A request to this process; one without an answer ends after 15 seconds. */
  request(path: string, options: RequestInit = {}): Promise<Response> {
    return fetch(`${this.origin}${path}`, { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS), ...options });
  }

  isReady(): Promise<void> {
    return this.ready;
  }

  /** Kills it, without a signal as a power cut would; it is restarted. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const { child } = this;
    if (!child) return;
    this.isKilled = true;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
    // Its restart has begun.
    await wait(0);
  }

  /** Stops it for good. */
  async end(): Promise<void> {
    this.isOver = true;
    await this.kill();
  }

  /** Bytes of the heap after a garbage collection. The process must run with HEAP_REPORT_ENV. */
  async heap(): Promise<number> {
    const { child } = this;
    if (!child) throw new Error(`a ${this.role} process is not there`);
    const message = nextMessage<{ heapBytes: number }>(child);
    child.send('heap');
    return (await message).heapBytes;
  }

  /** Resident memory in bytes. */
  async memory(): Promise<number> {
    const status = await readFile(`/proc/${this.pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1_024;
  }

  private launchProcess(): void {
    this.ready = this.untilReady();
    // Only a caller that waits gets the rejection.
    this.ready.catch(() => {});
  }

  private async untilReady(): Promise<void> {
    for (const deadline = Date.now() + START_TIMEOUT_MS; Date.now() < deadline && !this.isOver; ) {
      const child = this.launch();
      const exit = once(child, 'exit');
      const output = new Promise<boolean>((done) => {
        child.stdout?.on('data', (text) => String(text).includes('ready') && done(true));
      });
      if (await Promise.race([output, exit.then(() => false)])) {
        this.child = child;
        void exit.then(() => this.onEnd());
        return;
      }
      this.failedStarts += 1;
      await wait(500);
    }
    if (!this.isOver) throw new Error(`a ${this.role} process did not start`);
  }

  private onEnd(): void {
    this.child = undefined;
    if (!this.isKilled) this.crashes += 1;
    this.isKilled = false;
    if (!this.isOver) this.launchProcess();
  }
}

/** Sends requests to the `entrances` in turn; when one does not respond, to the next. */
export class ServerProcesses {
  private nextIndex = 0;

  constructor(
    readonly members: readonly ServerProcess[],
    private readonly entrances = members.filter(({ role }) => role === 'web'),
  ) {}

  /** Starts two web and two worker processes, one after the other. */
  static async start(workspace: Workspace, env: NodeJS.ProcessEnv): Promise<ServerProcesses> {
    const members: ServerProcess[] = [];
    for (const role of ['web', 'web', 'worker', 'worker'] as const)
      members.push(await ServerProcess.start(workspace, role, env));
    return new ServerProcesses(members);
  }

  /** Stops all processes before the workspace is removed. */
  async end(): Promise<void> {
    await Promise.all(this.members.map((member) => member.end()));
  }

  /** Unexpected ends of all processes. */
  get crashes(): number {
    return this.members.reduce((sum, { crashes }) => sum + crashes, 0);
  }

  get webs(): ServerProcess[] {
    return this.members.filter(({ role }) => role === 'web');
  }

  /** The first response below 500 of any process. Throws when there is none. */
  async request(path: string, options: RequestInit = {}): Promise<Response> {
    let failure: unknown;
    for (const _ of this.entrances) {
      const web = this.entrances[this.nextIndex++ % this.entrances.length] as ServerProcess;
      try {
        const answer = await web.request(path, options);
        if (answer.status < 500) return answer;
        failure = new Error(`${path}: ${answer.status} ${await answer.text()}`);
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  }
}

/** A request with a JSON body. */
export const post = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});
