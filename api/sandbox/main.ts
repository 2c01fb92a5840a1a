/**
 * The sandbox as a process. It prints only errors. It ends on SIGTERM or SIGINT, or when the parent process with its IPC
 * channel ends. Over that channel it sends `{ port }` when it listens. Exit code 78 when it must not or cannot run, 1 after
 * any other error.
 */
import { readSandboxConfig, SandboxConfigError } from './config.ts';
import { type Sandbox, startSandbox } from './server.ts';

const EX_CONFIG = 78;

function fail(error: unknown): never {
  const { code, port } = error as NodeJS.ErrnoException & { port?: number };
  const isRefused = error instanceof SandboxConfigError || code === 'EADDRINUSE';
  const line = code === 'EADDRINUSE' ? `PAYMENT_SANDBOX_PORT ${port} is in use` : (error as Error).message;
  process.stderr.write(`${isRefused ? line : (error as Error).stack}\n`);
  process.exit(isRefused ? EX_CONFIG : 1);
}

if (process.argv.includes('--help')) {
  process.stdout.write(
    'Usage: node api/dist/sandbox.js\n\nThe payment sandbox, which the server starts by itself outside production.\n',
  );
  process.exit();
}

let sandbox: Sandbox | undefined;

function stop(): void {
  if (!sandbox) process.exit();
  sandbox.close().then(() => process.exit(), fail);
  sandbox = undefined;
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop);
process.once('disconnect', stop);

try {
  sandbox = await startSandbox({ ...readSandboxConfig(process.env), now: () => new Date() });
  process.send?.({ port: sandbox.port });
} catch (error) {
  fail(error);
}
