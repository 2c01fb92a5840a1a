/** Exits with 0 when the server of this container is ready, else with 1. */
if (process.argv.includes('--help')) {
  process.stdout.write(
    'Usage: healthcheck.js\n\nAsks the server on METRICS_PORT or PORT; exits with 0 when it is ready.\n',
  );
  process.exit();
}
const port = process.env.METRICS_PORT ?? process.env.PORT;
const answer = await fetch(`http://127.0.0.1:${port}/api/ready`, { signal: AbortSignal.timeout(2_500) });
process.exitCode = answer.ok ? 0 : 1;
