/** The chunks of the build, and when the service worker stores each. */
import { fileURLToPath } from 'node:url';
import { pageEntries } from '@nivida/contract/site/pages';
import type { Plugin, Rolldown } from 'vite';

/** Modules of every page. */
const FRAME_MODULES = ['main.tsx', 'early.ts', 'features/install/updates.ts', 'features/install/install.ts'];
/** Modules of a visitor who searches and opens tenders. */
const JOURNEY_MODULES = [
  ...pageEntries().flatMap(([, { isStored, screen }]) => (isStored ? `screens/${screen}.screen.tsx` : [])),
  'screens/home/TodayOnDevice.tsx',
  'sync.ts',
  'data/device/schema.ts',
  'data/outbox/outbox.ts',
  'features/bookmarks/bookmark-actions.ts',
  'features/bookmarks/watch-bookmarks.ts',
];

const EARLY = /\/src\/early\.ts$/;
const APP_MODULE_PATTERN = /\/src\/main\.tsx$/;
/** Modules that render nothing: contract, data, and the logic of features. */
const BASE_MODULE_PATTERN = /\/(?:api\/contract|pwa\/src\/(?:data|features|offline|ui))\/.*\.ts$/;
const SCREEN_MODULE_PATTERN = /\/src\/screens\/(?:\w+\/)?\w+(?:\.screen)?\.tsx$/;

/** Modules that the pages of text share. */
const INFO_MODULE_PATTERN = /\/(?:features|screens)\/info\//;
/** The contract of app and server. */
const CONTRACT_MODULE_PATTERN = /\/api\/contract\//;
/** Modules without a feature. */
const GENERAL_MODULE_PATTERN = /\/pwa\/src\/(?:data|ui)\//;
/** Modules of the tenders stored on the device. */
const DEVICE_MODULE_PATTERN = /\/pwa\/src\/(?:offline|features\/on-this-phone)\//;
/** Modules of orders, plans and documents. */
const PURCHASE_MODULE_PATTERN = /\/(?:features|screens|contract)\/(?:orders|plans|documents|payment)\//;
/** What waits to be sent, and the server's last record that a device has: bookmarks need them without the bid desk. */
const OUTBOX_MODULE_PATTERN = /\/data\/(?:outbox\/|lock\.ts$|records\/newest-cursor\.ts$)|\/contract\/limits\.ts$/;
/** Records of the bid desk and files of its documents, which the sync needs without the bid desk. */
const RECORD_MODULE_PATTERN = /\/data\/(?:records\/|bid-documents\/files\.ts$|typed-values\.ts$)|\/contract\/bids\//;
/** Modules of the documents of a bid and of its checklist, with a table of 40 KB. */
const BID_DOCUMENT_MODULE_PATTERN = /\/(?:bid-documents|checklist)\//;
/** Modules of the user's bids, deposits and eligibility. */
const BID_MODULE_PATTERN = /\/(?:bids|deposits|eligibility|rules)\//;
/** Modules of awards and offices. */
const AWARD_MODULE_PATTERN = /\/(?:features|screens|contract)\/awards\//;

/** The screens that most first visits open. */
const SEARCH_SCREEN_PATTERN = /\/screens\/tenders\/TenderSearch\.screen\.tsx$/;
const RESULTS_SCREEN_PATTERN = /\/screens\/tenders\/TenderResults\.screen\.tsx$/;
const DETAIL_SCREEN_PATTERN = /\/screens\/tenders\/TenderDetail\.screen\.tsx$/;
/** First screens without tenders. */
const PLAIN_SCREEN_PATTERN = /\/screens\/(?:info\/Contact|payment\/Pricing)\.screen\.tsx$/;
/** The dialogs that each page of a visitor preloads. */
const ACCOUNT_DIALOG_PATTERN = /\/features\/auth\/(?:SignInDialog|registration\/CreateAccountDialog)\.tsx$/;
/** A part of every page. */
const OFFER_PATTERN = /\/screens\/alerts\/AlertOrInstallOffer\.tsx$/;

type Modules = Pick<Rolldown.ChunkingContext, 'getModuleInfo'>;

/** A module and all modules that import it, directly or not. */
function importersOf(id: string, modules: Modules, found = new Set<string>()): Set<string> {
  if (found.has(id)) return found;
  found.add(id);
  for (const importer of modules.getModuleInfo(id)?.importers ?? []) importersOf(importer, modules, found);
  return found;
}

/** The first script has its own chunk, because it runs before the app's code is loaded. */
export function earlyChunk(id: string, modules: Modules): string | null {
  return [...importersOf(id, modules)].some((module) => EARLY.test(module)) ? 'early' : null;
}

/** Libraries have their own chunks, which stay the same when the app changes: those of the app, and those of several screens. */
export function libraryChunk(id: string, modules: Modules): string | null {
  if (!id.includes('/node_modules/')) return null;
  const chunk = chunkOf(id, modules);
  if (chunk === 'app') return 'libraries';
  return chunk === null ? null : 'screen-libraries';
}

/** What every screen needs and renders nothing has its own chunk, which stays the same when the frame changes. */
export function baseChunk(id: string, modules: Modules): string | null {
  return BASE_MODULE_PATTERN.test(id) && chunkOf(id, modules) === 'app' ? 'base' : null;
}

/**
 * The chunk of a module: `app` for code of every screen, and one of `SHARED_CHUNKS` for code of several screens. A first
 * screen loads chunks of which it needs all or most; each is large enough to be worth a request.
 */
function chunkOf(id: string, modules: Modules): string | null {
  const importers = [...importersOf(id, modules)];
  if (importers.some((module) => APP_MODULE_PATTERN.test(module))) return 'app';
  const isScreen = (module: string) =>
    SCREEN_MODULE_PATTERN.test(module) && (modules.getModuleInfo(module)?.dynamicImporters ?? []).length > 0;
  if (importers.filter(isScreen).length < 2) return null;
  const isNeededBy = (screen: RegExp) => importers.some((module) => screen.test(module));
  const isOfResults = isNeededBy(RESULTS_SCREEN_PATTERN);
  const isOfTender = isNeededBy(DETAIL_SCREEN_PATTERN);
  const isPurchase = PURCHASE_MODULE_PATTERN.test(id);
  if (isNeededBy(PLAIN_SCREEN_PATTERN)) return isPurchase && !isOfResults && !isOfTender ? 'checkout' : 'controls';
  const isOfDialog = isNeededBy(ACCOUNT_DIALOG_PATTERN);
  if (isOfResults && isOfDialog) return 'controls';
  if (isOfTender) return isPurchase && !isOfResults ? 'orders' : areaOfTenders(id);
  const isOfOffer = isNeededBy(OFFER_PATTERN);
  if (isOfOffer) return isOfResults || GENERAL_MODULE_PATTERN.test(id) ? 'controls' : 'alerts';
  if (isOfResults) return 'lists';
  if (isNeededBy(SEARCH_SCREEN_PATTERN)) return areaOfSearch(id);
  if (isOfDialog) return 'sign-in';
  if (isPurchase) return 'purchases';
  return areaOfOthers(id);
}

/** The chunk of a module that a tender's page needs. */
function areaOfTenders(id: string): string {
  if (CONTRACT_MODULE_PATTERN.test(id)) return 'contract';
  return DEVICE_MODULE_PATTERN.test(id) ? 'device-tenders' : 'tenders';
}

/** The chunk of a module that only the search needs of the first screens. */
function areaOfSearch(id: string): string {
  if (AWARD_MODULE_PATTERN.test(id)) return 'offices';
  return GENERAL_MODULE_PATTERN.test(id) ? 'controls' : 'searches';
}

/** The chunk of a module that no first screen needs. */
function areaOfOthers(id: string): string {
  if (OUTBOX_MODULE_PATTERN.test(id)) return 'outbox';
  if (RECORD_MODULE_PATTERN.test(id)) return 'records';
  if (AWARD_MODULE_PATTERN.test(id)) return 'awards';
  if (BID_DOCUMENT_MODULE_PATTERN.test(id)) return 'bid-documents';
  if (BID_MODULE_PATTERN.test(id)) return 'bids';
  if (INFO_MODULE_PATTERN.test(id)) return 'texts';
  return GENERAL_MODULE_PATTERN.test(id) ? 'controls' : 'account';
}

/** What every screen needs. */
export const appChunk = (id: string, modules: Modules): string | null =>
  chunkOf(id, modules) === 'app' ? 'app' : null;

/** A chunk takes what its modules import, so those that others import come first. */
const SHARED_CHUNKS = [
  'controls',
  'contract',
  'device-tenders',
  'tenders',
  'lists',
  'alerts',
  'offices',
  'searches',
  'orders',
  'checkout',
  'sign-in',
  'purchases',
  'outbox',
  'records',
  'awards',
  'bid-documents',
  'bids',
  'texts',
  'account',
];

/** The groups of code of several screens. */
export const sharedGroups = SHARED_CHUNKS.map((chunk) => ({
  name: (id: string, modules: Modules) => (chunkOf(id, modules) === chunk ? chunk : null),
  debugName: chunk,
}));

/** The file names of a chunk and all its static imports; imports come first, for the order of styles. */
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

/** The chunk of a module and its imports; without one the build fails. */
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

let frameFiles: ReadonlySet<string> = new Set();
let journeyFiles: ReadonlySet<string> = new Set();

/** When the service worker stores a script or style; see `AppFile`. */
export function storedWhen(file: string): 'installed' | 'updated' | 'used' {
  if (frameFiles.has(file)) return 'installed';
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
        const src = `/${chunkFor(bundle, '/src/early.ts').at(-1)}`;
        return [{ tag: 'script', attrs: { type: 'module', crossorigin: true, src }, injectTo: 'head-prepend' }];
      },
    },
    generateBundle(_options, bundle) {
      const filesWith = (modules: readonly string[]) => {
        const scripts = modules.flatMap((module) => chunkFor(bundle, `/src/${module}`));
        return new Set([...scripts, ...stylesOf(bundle, scripts)]);
      };
      frameFiles = filesWith(FRAME_MODULES);
      journeyFiles = filesWith(JOURNEY_MODULES);
    },
  };
}
