/** Tells the server which files each page needs beside the app's own, so that they come together and not one after the other. */
import type { Plugin, Rolldown } from 'vite';

/** Pages that people come to from outside, and the screen of each (src/routes.tsx). `:id` stands for digits. */
const SCREENS: Record<string, string> = {
  '/tenders': 'TenderSearch',
  '/tenders/results': 'TenderResults',
  '/tenders/:id': 'TenderDetail',
  '/pricing': 'Pricing',
  '/payment-status': 'PaymentStatus',
  '/about': 'About',
  '/contact': 'Contact',
  '/services': 'Services',
  '/analysis': 'Analysis',
  '/privacy': 'Privacy',
  '/terms': 'Terms',
  '/cookies': 'Cookies',
  '/gdpr': 'Gdpr',
  '/refund': 'Refund',
};

const SCREEN = /\/src\/screens\/\w+\.tsx$/;

/** What the pages of text share. */
const TEXT = /\/features\/info\/|\/screens\/Info\./;
/** What screens about tenders share: lists, searches, bookmarks, purchases. */
const TENDERS = /\/src\/(?:features|screens)\//;

/** The chunk of a module that several screens import: one of three, each of a size that is worth a request. */
export function sharedByScreens(id: string, context: Pick<Rolldown.ChunkingContext, 'getModuleInfo'>): string | null {
  const screens = new Set<string>();
  const seen = new Set<string>();
  const climb = (module: string): void => {
    if (seen.has(module)) return;
    seen.add(module);
    const { importers = [], dynamicImporters = [] } = context.getModuleInfo(module) ?? {};
    if (SCREEN.test(module) && dynamicImporters.length > 0) screens.add(module);
    for (const importer of importers) climb(importer);
  };
  climb(id);
  if (screens.size < 2) return null;
  if (TEXT.test(id)) return 'texts';
  return TENDERS.test(id) ? 'tenders' : 'controls';
}

/** The chunk and all that it imports statically, by file name. */
function withImports(bundle: Rolldown.OutputBundle, file: string, found = new Set<string>()): Set<string> {
  const chunk = bundle[file];
  if (found.has(file) || chunk?.type !== 'chunk') return found;
  found.add(file);
  for (const imported of chunk.imports) withImports(bundle, imported, found);
  return found;
}

/** Writes `screen-files.json`: addresses of scripts and styles by page. */
export function screenFiles(): Plugin {
  return {
    name: 'screen-files',
    apply: 'build',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
      const entry = chunks.find(({ isEntry }) => isEntry);
      const initial = withImports(bundle, entry?.fileName ?? '');
      const filesOf = (screen: string) => {
        const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/screens/${screen}.tsx`));
        if (!chunk) throw new Error(`there is no screen ${screen}`);
        const scripts = [...withImports(bundle, chunk.fileName)].filter((file) => !initial.has(file));
        const styles = scripts.flatMap((file) => {
          const output = bundle[file];
          return output?.type === 'chunk' ? [...(output.viteMetadata?.importedCss ?? [])] : [];
        });
        return [...new Set([...scripts, ...styles])].map((file) => `/${file}`);
      };
      const files = Object.fromEntries(Object.entries(SCREENS).map(([path, screen]) => [path, filesOf(screen)]));
      this.emitFile({ type: 'asset', fileName: 'screen-files.json', source: JSON.stringify(files) });
    },
  };
}
