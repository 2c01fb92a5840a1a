import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from './servers.ts';

const ROOT = join(import.meta.dirname, '../..');
/** The built product and the packages that it needs. */
const BUILT_FILES = ['package.json', 'api/package.json', 'api/dist', 'pwa/dist', 'pwa/dist-server'];
const PACKAGE_FOLDERS = ['node_modules', 'api/node_modules'];

/** A second installation of the built product, whose build can be replaced. */
export class Deployment {
  private constructor(
    private readonly folder: string,
    private readonly port: number,
    private server: ChildProcess | undefined,
    private readonly settings: NodeJS.ProcessEnv,
  ) {}

  /**
   * Copies the built product into a new folder and starts it there. It has no tenders, unless `settings` add
   * them.
   */
  static async start(folder: string, settings: NodeJS.ProcessEnv = {}): Promise<Deployment> {
    for (const path of BUILT_FILES) cpSync(join(ROOT, path), join(folder, path), { recursive: true });
    for (const path of PACKAGE_FOLDERS)
      if (existsSync(join(ROOT, path))) symlinkSync(join(ROOT, path), join(folder, path));
    const deployment = new Deployment(folder, await freePort(), undefined, settings);
    await deployment.startServer();
    return deployment;
  }

  get origin(): string {
    return `http://localhost:${this.port}`;
  }

  /**
   * Replaces the build and restarts the server. The new build's page has `<meta name="build">`, and it lacks
   * one chunk of the earlier build. Returns the path of that chunk.
   */
  async deploy(build: string): Promise<string> {
    await this.stop();
    const page = join(this.folder, 'pwa/dist/index.html');
    const worker = join(this.folder, 'pwa/dist/sw.js');
    const earlier = readFileSync(page, 'utf8');
    const later = earlier.replace('</head>', `<meta name="build" content="${build}" /></head>`);
    const list = readFileSync(worker, 'utf8').replace(md5(earlier), md5(later));
    if (!list.includes(md5(later))) throw new Error('sw.js does not list index.html by the MD5 of its content');
    const [entry, chunk] = /\{[^{}]*"url":"(assets\/Services\.screen-[\w-]+\.js)"[^{}]*\},/.exec(list) ?? [];
    if (!entry || !chunk) throw new Error('sw.js does not list the chunk of the page of services');
    writeFileSync(page, later);
    writeFileSync(worker, list.replace(entry, ''));
    rmSync(join(this.folder, 'pwa/dist', chunk));
    await this.startServer();
    return `/${chunk}`;
  }

  /** Stops the server and deletes the installation. */
  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Stops the server. Returns when it has ended. */
  private async stop(): Promise<void> {
    if (!this.server) return;
    const gone = once(this.server, 'exit');
    this.server.kill('SIGTERM');
    this.server = undefined;
    await gone;
  }

  private async startServer(): Promise<void> {
    const server = spawn(process.execPath, ['api/dist/main.js'], {
      cwd: this.folder,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        ...process.env,
        PORT: String(this.port),
        PUBLIC_ORIGIN: this.origin,
        PAYMENT_SANDBOX_PORT: String(await freePort()),
        DATA_DIR: join(this.folder, 'data'),
        DEMO: 'off',
        ...this.settings,
      },
    });
    this.server = server;
    for await (const line of createInterface(server.stdout)) {
      if (!line.includes(' is ready at ')) continue;
      server.stdout.resume();
      return;
    }
    throw new Error('the server of the deployment did not start');
  }
}

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
