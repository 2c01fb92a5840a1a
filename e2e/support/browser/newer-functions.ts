/**
 * Functions that one of the build's target browsers lacks (`target` in pwa/vite.config.ts), from MDN's
 * tables.
 */
import bcd from '@mdn/browser-compat-data/forLegacyNode';
import type { CompatStatement, Identifier } from '@mdn/browser-compat-data/types';
import type { BrowserContext } from '@playwright/test';

const TARGETS = {
  chrome: 111,
  chrome_android: 111,
  firefox: 120,
  firefox_android: 120,
  safari: 17.5,
  safari_ios: 17.5,
} as const;

export interface NewerFunctions {
  /** Global names: `CloseWatcher`. */
  globals: ReadonlySet<string>;
  /** Static members such as `URL.parse`, and members of prototypes such as `Set.union`. */
  members: ReadonlySet<string>;
  /** Names of members that no older interface has: `union`. */
  names: ReadonlySet<string>;
}

type Lacks = (compat: CompatStatement) => boolean;

/**
 * The first version that has a feature; undefined when there is none. A feature behind a flag, with a prefix
 * or incomplete does not count.
 */
function sinceVersion({ support }: CompatStatement, browser: keyof typeof TARGETS): number | undefined {
  const since = [support[browser] ?? []]
    .flat()
    .filter(
      ({ flags, prefix, alternative_name, partial_implementation, version_removed }) =>
        !flags && !prefix && !alternative_name && !partial_implementation && !version_removed,
    )
    .map(({ version_added }) => Number.parseFloat(String(version_added).replace('≤', '')))
    .filter((version) => version > 0);
  return since.length > 0 ? Math.min(...since) : undefined;
}

const browsers = Object.entries(TARGETS) as [keyof typeof TARGETS, number][];
/** At least one target lacks it, whether or not a later version has it. */
const isMissing: Lacks = (compat) =>
  browsers.some(
    ([browser, target]) =>
      compat.support[browser] !== undefined && (sinceVersion(compat, browser) ?? Number.POSITIVE_INFINITY) > target,
  );
/** At least one target lacks it, and a later version of the same browser has it. */
const isNewer: Lacks = (compat) => browsers.some(([browser, target]) => (sinceVersion(compat, browser) ?? 0) > target);

function functionsThat(lacks: Lacks): NewerFunctions {
  const globals = new Set<string>();
  const members = new Set<string>();
  const names = new Set<string>();
  const olderNames = new Set<string>();
  const { builtins = {} } = bcd.javascript as unknown as Record<string, Identifier>;
  for (const group of [bcd.api, builtins, builtins.Intl ?? {}] as Identifier[]) {
    for (const [owner, node] of Object.entries(group) as [string, Identifier][]) {
      if (!node.__compat) continue;
      if (lacks(node.__compat)) globals.add(owner);
      for (const [key, { __compat: compat }] of Object.entries(node) as [string, Identifier][]) {
        const name = key.replace(/_static$/, '');
        if (!compat || name === owner || !/^[A-Za-z]\w*$/.test(name) || name.endsWith('_event')) continue;
        if (!lacks(compat)) olderNames.add(name);
        else {
          members.add(`${owner}.${name}`);
          if (name === key) names.add(name);
        }
      }
    }
  }
  for (const name of olderNames) names.delete(name);
  return { globals, members, names };
}

/** Functions that code must not use without checking for them first. */
export const missingFunctions = (): NewerFunctions => functionsThat(isMissing);

/**
 * In each page of the context, deletes the functions that are newer than the targets, before the page's
 * scripts run. The browser's own behaviour stays: popovers, trusted types, and buttons of notifications.
 */
export async function deleteNewerFunctions(context: BrowserContext): Promise<void> {
  await context.addInitScript(deleteFunctions, newerFunctionNames());
}

/** Names for `deleteFunctions`. */
export function newerFunctionNames(): string[] {
  const { globals, members } = functionsThat(isNewer);
  return [...members, ...globals].filter((name) => !/popover|ToggleEvent|trusted|^Notification/i.test(name));
}

/** Deletes the functions `Owner.member` and `Global`. Runs in a page or a worker. */
export function deleteFunctions(names: string[]): void {
  const scope = globalThis as unknown as Record<string, { prototype?: object } | undefined>;
  const remove = (object: object | undefined, name: string) => object && Reflect.deleteProperty(object, name);
  for (const name of names) {
    const [owner = '', member] = name.split('.');
    if (!member) remove(scope, owner);
    else if (/^(?:Window|\w*WorkerGlobalScope)$/.test(owner)) remove(scope, member);
    else for (const object of [scope[owner], scope[owner]?.prototype]) remove(object, member);
  }
}
