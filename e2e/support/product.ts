import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { freePort } from './servers.ts';

const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);

/** A second instance of the built product, with its own settings and database. */
export class Product {
  private server: ChildProcess | undefined;

  private constructor(
    private readonly env: NodeJS.ProcessEnv,
    readonly origin: string,
  ) {}

  /** Starts it in a folder, without tenders. */
  static async start(folder: string, env: NodeJS.ProcessEnv): Promise<Product> {
    const port = await freePort();
    const origin = `http://localhost:${port}`;
    const own = {
      PORT: String(port),
      PUBLIC_ORIGIN: origin,
      PAYMENT_SANDBOX_PORT: String(await freePort()),
      DATA_DIR: join(folder, 'data'),
      DEMO: 'off',
    };
    const product = new Product({ ...process.env, ...own, ...env }, origin);
    await product.up();
    return product;
  }

  /** Starts the server again. Returns when it is ready. */
  async up(): Promise<void> {
    const server = spawn(process.execPath, ['api/dist/main.js'], {
      cwd: ROOT,
      env: this.env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    this.server = server;
    for await (const line of createInterface(server.stdout)) {
      if (!line.includes(' is ready at ')) continue;
      server.stdout.resume();
      return;
    }
    throw new Error('the server did not start');
  }

  /** Stops the server. Returns when it has ended. */
  async down(): Promise<void> {
    if (!this.server) return;
    const gone = once(this.server, 'exit');
    this.server.kill('SIGTERM');
    this.server = undefined;
    await gone;
  }

  /** Runs one of the operator's commands. Returns what it wrote to stdout. */
  async command(...args: string[]): Promise<string> {
    const { stdout } = await run(process.execPath, ['api/dist/cli.js', ...args], { cwd: ROOT, env: this.env });
    return stdout;
  }

  /** Queries the product's database while the server runs. postmaster.pid names the socket. */
  async query<Row extends object>(text: string): Promise<Row[]> {
    const lock = readFileSync(join(this.env.DATA_DIR ?? '', 'postgres/postmaster.pid'), 'utf8').split('\n');
    const client = new Client({ host: lock[4], port: Number(lock[3]), user: 'postgres', database: 'nivida' });
    await client.connect();
    return client
      .query<Row>(text)
      .then(({ rows }) => rows)
      .finally(() => client.end());
  }
}
