/**
 * `deploy-size`: what a phone with the app downloads after a deployment that changes two sentences: the service worker, the
 * page and the changed files, compressed as the server sends them. Builds the app three times; about a minute.
 */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { build, type Plugin } from 'vite';
import { BenchmarkMetrics, log } from './measure/metrics.ts';

const APP = join(import.meta.dirname, '../../pwa');
/** The level at which the server compresses files that the build has not compressed. */
const SERVER_QUALITY = 4;

/** Changed sentences by case: a module and two of its texts. */
const CHANGES: Record<string, { module: string; texts: [string, string] }> = {
  frame: { module: '/screens/RouteError.tsx', texts: ['This page could not be shown', 'Try again, or start'] },
  list: { module: '/results/NoTenders.tsx', texts: ['No Tenders Found', 'Modify Search'] },
};

/** Changes two texts of a module. The build fails when they are missing. */
function changeTexts({ module, texts }: { module: string; texts: [string, string] }): Plugin {
  return {
    name: 'change-texts',
    enforce: 'pre',
    transform(code, id) {
      if (!id.endsWith(module)) return null;
      for (const text of texts) if (!code.includes(text)) this.error(`${module} lacks the text ${text}`);
      return texts.reduce((changed, text) => changed.replace(text, `${text} now`), code);
    },
  };
}

async function buildApp(folder: string, plugins: Plugin[]): Promise<void> {
  await build({
    root: APP,
    configFile: join(APP, 'vite.config.ts'),
    logLevel: 'silent',
    mode: 'production',
    plugins,
    build: { outDir: folder, emptyOutDir: true },
  });
}

/** The bytes of the files that an earlier build lacks, by name. */
async function downloadOf(folder: string, earlier: string): Promise<Map<string, number>> {
  const known = new Set(await readdir(join(earlier, 'assets')));
  const changed = (await readdir(join(folder, 'assets'))).filter((file) => file.endsWith('.br') && !known.has(file));
  const bytes = new Map<string, number>();
  for (const file of changed) bytes.set(file, (await readFile(join(folder, 'assets', file))).length);
  for (const file of ['sw.js', 'index.html']) {
    const params = { [constants.BROTLI_PARAM_QUALITY]: SERVER_QUALITY };
    bytes.set(file, brotliCompressSync(await readFile(join(folder, file)), { params }).length);
  }
  return bytes;
}

const figures = new BenchmarkMetrics('deploy-size');
const folder = await mkdtemp(join(tmpdir(), 'nivida-deploy-'));
try {
  const earlier = join(folder, 'earlier');
  await buildApp(earlier, []);
  for (const [name, change] of Object.entries(CHANGES)) {
    const later = join(folder, name);
    await buildApp(later, [changeTexts(change)]);
    const files = await downloadOf(later, earlier);
    log([...files].map(([file, bytes]) => `  ${file} ${bytes}`).join('\n'));
    figures.record(`${name}_files`, files.size);
    figures.check(`${name}_update_kb`, [...files.values()].reduce((sum, bytes) => sum + bytes, 0) / 1_000, 'most', 60);
  }
  figures.finish('worst');
} finally {
  await rm(folder, { recursive: true, force: true });
}
