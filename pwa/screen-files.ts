/** Decides when the service worker stores each file, and adds the first script to the page. */
import { fileURLToPath } from 'node:url';
import { languages } from '@nivida/contract/languages';
import { pageEntries } from '@nivida/contract/site/pages';
import type { Plugin, Rolldown } from 'vite';

/** Modules that every page loads. */
const FRAME_MODULES = ['main.tsx', 'early.ts', 'features/install/updates.ts', 'features/install/install.ts'];
/** Modules for a visitor who searches and opens tenders. */
const JOURNEY_MODULES = [
  ...pageEntries().flatMap(([, { isStored, screen }]) => (isStored ? `screens/${screen}.screen.tsx` : [])),
  'screens/home/TodayOnDevice.tsx',
  'sync.ts',
  'data/device/schema.ts',
  'data/outbox/outbox.ts',
  'features/bookmarks/bookmark-sync.ts',
];

/** The files of a chunk, of all its static imports, and their styles. */
function filesOf(bundle: Rolldown.OutputBundle, file: string, found = new Set<string>()): Set<string> {
  const chunk = bundle[file];
  if (found.has(file) || chunk?.type !== 'chunk') return found;
  found.add(file);
  for (const style of chunk.viteMetadata?.importedCss ?? []) found.add(style);
  for (const imported of chunk.imports) filesOf(bundle, imported, found);
  return found;
}

/** The file of a module's chunk. Without a chunk the build fails. */
function chunkOf(bundle: Rolldown.OutputBundle, module: string): string {
  const chunk = Object.values(bundle).find(
    (output) => output.type === 'chunk' && output.moduleIds.some((id) => id.endsWith(`/src/${module}`)),
  );
  if (!chunk) throw new Error(`there is no ${module}`);
  return chunk.fileName;
}

const filesOfAll = (bundle: Rolldown.OutputBundle, modules: readonly string[]): ReadonlySet<string> =>
  new Set(modules.flatMap((module) => [...filesOf(bundle, chunkOf(bundle, module))]));

/** Modules of the desk, which only its staff load. */
const DESK_MODULE = /\/src\/screens\/desk\/|\/texts\/\w+\.po\?part=desk$/;

/** The files that nothing but the desk loads. */
function filesOfDesk(bundle: Rolldown.OutputBundle): ReadonlySet<string> {
  const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
  const stylesOf = ({ viteMetadata }: Rolldown.OutputChunk) => viteMetadata?.importedCss ?? [];
  const visited = new Set<string>();
  const visit = (file: string): void => {
    const chunk = bundle[file];
    if (visited.has(file) || chunk?.type !== 'chunk' || chunk.moduleIds.some((id) => DESK_MODULE.test(id))) return;
    visited.add(file);
    for (const style of stylesOf(chunk)) visited.add(style);
    for (const next of [...chunk.imports, ...chunk.dynamicImports]) visit(next);
  };
  for (const { isEntry, fileName } of chunks) if (isEntry) visit(fileName);
  return new Set(chunks.flatMap((chunk) => [chunk.fileName, ...stylesOf(chunk)]).filter((file) => !visited.has(file)));
}

let deskFiles: ReadonlySet<string> = new Set();
let frameFiles: ReadonlySet<string> = new Set();
let journeyFiles: ReadonlySet<string> = new Set();

/** When the service worker stores a file; see `AppFile`. The desk's files are never stored. */
export function storedWhen(file: string): 'installed' | 'updated' | 'used' | 'language' | 'never' {
  if (deskFiles.has(file)) return 'never';
  if (languages().some((each) => file.startsWith(`assets/${each}-`) || file.startsWith(`${each}/`))) return 'language';
  if (!file.startsWith('assets/') || frameFiles.has(file)) return 'installed';
  return journeyFiles.has(file) ? 'updated' : 'used';
}

/** Adds the first script (src/early.ts) to the page. */
export function screenFiles(): Plugin {
  return {
    name: 'screen-files',
    apply: 'build',
    enforce: 'post',
    buildStart() {
      this.emitFile({ type: 'chunk', id: fileURLToPath(new URL('src/early.ts', import.meta.url)), name: 'early' });
    },
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const src = `/${chunkOf(bundle, 'early.ts')}`;
        return [{ tag: 'script', attrs: { type: 'module', crossorigin: true, src }, injectTo: 'head-prepend' }];
      },
    },
    generateBundle(_options, bundle) {
      frameFiles = filesOfAll(bundle, FRAME_MODULES);
      journeyFiles = filesOfAll(bundle, JOURNEY_MODULES);
      deskFiles = filesOfDesk(bundle);
    },
  };
}
