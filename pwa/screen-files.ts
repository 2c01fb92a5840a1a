/** Tells the server which files each page needs beside the app's own, so that they come together and not one after the other. */
import { fileURLToPath } from 'node:url';
import type { Plugin, Rolldown } from 'vite';

/** Pages that people come to from outside, and the screen of each (src/routes.tsx). `:id` stands for digits. */
const SCREEN_OF_PAGE: Record<string, string> = {
  '/tenders': 'tenders/TenderSearch',
  '/tenders/results': 'tenders/TenderResults',
  '/tenders/:id': 'tenders/TenderDetail',
  '/pricing': 'payment/Pricing',
  '/payment-status': 'payment/PaymentStatus',
  '/about': 'info/About',
  '/contact': 'info/Contact',
  '/services': 'info/Services',
  '/analysis': 'info/Analysis',
  '/privacy': 'info/Privacy',
  '/terms': 'info/Terms',
  '/cookies': 'info/Cookies',
  '/gdpr': 'info/Gdpr',
  '/refund': 'info/Refund',
};

const EARLY = /\/src\/early\.ts$/;
const APP_MODULE_PATTERN = /\/src\/main\.tsx$/;
const SCREEN_MODULE_PATTERN = /\/src\/screens\/(?:\w+\/)?\w+\.tsx$/;

/** What the pages of text share. */
const INFO_MODULE_PATTERN = /\/(?:features|screens)\/info\//;
/** What screens about tenders share: lists, searches, bookmarks, purchases. */
const FEATURE_MODULE_PATTERN = /\/src\/(?:features|screens)\//;

type Modules = Pick<Rolldown.ChunkingContext, 'getModuleInfo'>;

/** The modules that import one, directly or by others, and itself. */
function importersOf(id: string, modules: Modules, found = new Set<string>()): Set<string> {
  if (found.has(id)) return found;
  found.add(id);
  for (const importer of modules.getModuleInfo(id)?.importers ?? []) importersOf(importer, modules, found);
  return found;
}

/** The first script has a chunk of its own: it runs while the app's code is still being fetched. */
export function earlyChunk(id: string, modules: Modules): string | null {
  return [...importersOf(id, modules)].some((module) => EARLY.test(module)) ? 'early' : null;
}

/** Libraries of the app itself have a chunk, which stays the same when the app changes. */
export function libraryChunk(id: string, modules: Modules): string | null {
  return id.includes('node_modules') && chunkOf(id, modules) === 'app' ? 'libraries' : null;
}

/**
 * The chunk of a module: that of the app for what every screen needs, and one of three, each of a size that is worth a
 * request, for what several screens import.
 */
export function chunkOf(id: string, modules: Modules): string | null {
  const importers = [...importersOf(id, modules)];
  if (importers.some((module) => APP_MODULE_PATTERN.test(module))) return 'app';
  const isScreen = (module: string) =>
    SCREEN_MODULE_PATTERN.test(module) && (modules.getModuleInfo(module)?.dynamicImporters ?? []).length > 0;
  if (importers.filter(isScreen).length < 2) return null;
  if (INFO_MODULE_PATTERN.test(id)) return 'texts';
  return FEATURE_MODULE_PATTERN.test(id) ? 'tenders' : 'controls';
}

/** The chunk and all that it imports statically, by file name; after what it imports, as its styles must stand after those. */
function withImports(bundle: Rolldown.OutputBundle, file: string): string[] {
  const entered = new Set<string>();
  const enter = (each: string): string[] => {
    const chunk = bundle[each];
    if (entered.has(each) || chunk?.type !== 'chunk') return [];
    entered.add(each);
    return [...chunk.imports.flatMap(enter), each];
  };
  return enter(file);
}

/** The chunk that is made of a module and what it imports; without one the build fails. */
function chunkFor(bundle: Rolldown.OutputBundle, module: string): string[] {
  const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
  const chunk = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(module)));
  if (!chunk) throw new Error(`there is no ${module}`);
  return withImports(bundle, chunk.fileName);
}

function stylesOf(bundle: Rolldown.OutputBundle, scripts: readonly string[]): string[] {
  const styles = scripts.flatMap((file) => {
    const output = bundle[file];
    return output?.type === 'chunk' ? [...(output.viteMetadata?.importedCss ?? [])] : [];
  });
  return [...new Set(styles)];
}

/**
 * Adds the first script (src/early.ts) to the page, and writes `screen-files.json`: addresses of scripts and styles by
 * page.
 */
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
        const src = `/${chunkFor(bundle, '/src/early.ts').at(-1)}`;
        return [{ tag: 'script', attrs: { type: 'module', crossorigin: true, src }, injectTo: 'head-prepend' }];
      },
    },
    generateBundle(_options, bundle) {
      const initial = chunkFor(bundle, '/src/main.tsx');
      const filesOf = (screen: string) => {
        const scripts = chunkFor(bundle, `/screens/${screen}.tsx`).filter((file) => !initial.includes(file));
        return [...scripts, ...stylesOf(bundle, scripts)].map((file) => `/${file}`);
      };
      const files = Object.fromEntries(Object.entries(SCREEN_OF_PAGE).map(([path, screen]) => [path, filesOf(screen)]));
      this.emitFile({ type: 'asset', fileName: 'screen-files.json', source: JSON.stringify(files) });
    },
  };
}
