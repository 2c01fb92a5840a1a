/** Ends with 0 when this container's server wants requests, else with 1. */
if (process.argv.includes('--help')) {
  process.stdout.write('Usage: healthcheck.js\n\nAsks the server on PORT; ends with 0 when it wants requests.\n');
  process.exit();
}
const answer = await fetch(`http://127.0.0.1:${process.env.PORT}/api/ready`, { signal: AbortSignal.timeout(2_500) });
process.exitCode = answer.ok ? 0 : 1;
