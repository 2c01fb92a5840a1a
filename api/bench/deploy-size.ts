/**
 * `deploy-size`: what a phone with the app downloads after a deployment that changes two sentences, and after one that
 * changes texts of shared code too: the service worker, the page and the changed files, compressed as the server sends them,
 * whole and as the difference from the earlier files (RFC 9842). Builds the app four times; about a minute.
 */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { build, type Plugin } from 'vite';
import { compressWith, laterVersions } from '../src/pages/earlier-files.ts';
import { BenchmarkMetrics, log } from './measure/metrics.ts';

const APP = join(import.meta.dirname, '../../pwa');
/** The level at which the server compresses files that the build has not compressed. */
const SERVER_QUALITY = 4;

/** Some texts by the module that has them. */
type ChangedTexts = Record<string, readonly string[]>;

const FRAME = { '/screens/RouteError.tsx': ['This page could not be shown', 'Try again, or start'] };
const LIST = { '/results/NoTenders.tsx': ['No Tenders Found', 'Modify Search'] };
/** Changed texts by case. The last one changes what the app shares with its workers. */
const CHANGES: Record<string, ChangedTexts> = {
  frame: FRAME,
  list: LIST,
  shared: {
    ...FRAME,
    ...LIST,
    '/contract/format.ts': ['Not required'],
    '/search/query-words.ts': ['various etc year'],
    '/engine/engine-host.ts': ['A pack cannot be read'],
  },
};

/** Changes texts of modules. The build fails when they are missing. */
function changeTexts(changes: ChangedTexts): Plugin {
  return {
    name: 'change-texts',
    enforce: 'pre',
    transform(code, id) {
      const [module, texts] = Object.entries(changes).find(([each]) => id.endsWith(each)) ?? [];
      if (!module || !texts) return null;
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

/** The bytes of a file, and of its difference from an earlier version. Equal where there is none. */
interface Download {
  whole: number;
  difference: number;
}

/** The downloads of the files that an earlier build lacks, by name. */
async function downloadsOf(folder: string, earlier: string): Promise<Map<string, Download>> {
  const known = await readdir(join(earlier, 'assets'));
  const versions = new Map(known.map((file) => [laterVersions(file), file]));
  const changed = (await readdir(join(folder, 'assets'))).filter(
    (file) => file.endsWith('.br') && !known.includes(file),
  );
  const downloads = new Map<string, Download>();
  for (const compressed of changed) {
    const file = compressed.slice(0, -'.br'.length);
    const whole = (await readFile(join(folder, 'assets', compressed))).length;
    const before = laterVersions(file) && versions.get(laterVersions(file));
    const difference = before
      ? await compressWith(
          await readFile(join(earlier, 'assets', before)),
          await readFile(join(folder, 'assets', file)),
        )
      : undefined;
    downloads.set(file, { whole, difference: difference?.length ?? whole });
  }
  for (const file of ['sw.js', 'index.html']) {
    const params = { [constants.BROTLI_PARAM_QUALITY]: SERVER_QUALITY };
    const whole = brotliCompressSync(await readFile(join(folder, file)), { params }).length;
    downloads.set(file, { whole, difference: whole });
  }
  return downloads;
}

const figures = new BenchmarkMetrics('deploy-size');
const folder = await mkdtemp(join(tmpdir(), 'nivida-deploy-'));
try {
  const earlier = join(folder, 'earlier');
  await buildApp(earlier, []);
  for (const [name, change] of Object.entries(CHANGES)) {
    const later = join(folder, name);
    await buildApp(later, [changeTexts(change)]);
    const files = await downloadsOf(later, earlier);
    log([...files].map(([file, { whole, difference }]) => `  ${file} ${whole} ${difference}`).join('\n'));
    const kb = (part: keyof Download) => [...files.values()].reduce((sum, each) => sum + each[part], 0) / 1_000;
    figures.record(`${name}_files`, files.size);
    if (name === 'shared') figures.record(`${name}_update_kb`, kb('whole'));
    else figures.check(`${name}_update_kb`, kb('whole'), 'most', 60);
    figures.check(`${name}_difference_kb`, kb('difference'), 'most', 60);
  }
  figures.finish('worst');
} finally {
  await rm(folder, { recursive: true, force: true });
}
