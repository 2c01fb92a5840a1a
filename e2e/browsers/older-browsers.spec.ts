/**
 * The build promises to run on some browsers (`target` in pwa/vite.config.ts). Its scripts must not use a
 * function that one of them lacks.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'vite';
import { missingFunctions, type NewerFunctions } from '../support/browser/newer-functions.ts';
import { expect, test } from '../support/test.ts';

const DIST = join(import.meta.dirname, '../../pwa/dist');

/** Matches that are not uses of the browser's newer function. */
const ALLOWED = {
  'methods of Dexie': ['equals', 'first', 'notEqual', 'toArray', 'use', 'where'],
  'methods of other libraries and our own': [
    'build',
    'check',
    'createContext',
    'delay',
    'details',
    'dispose',
    'fetch',
    'grow',
    'hide',
    'install',
    'move',
    'run',
  ],
  'tested for before the call': [
    'AbortSignal.any',
    'Error.captureStackTrace',
    'Notification',
    'Notification.maxActions',
    'Notification.permission',
    'Notification.requestPermission',
    'PublicKeyCredential.getClientCapabilities',
    'createPolicy',
    'createScriptURL',
    'databases',
    'setConsumer',
    'share',
    'skipTransition',
    'startViewTransition',
  ],
};

type Node = Record<string, unknown> & { type?: string };

/**
 * The newer functions that a script uses: `URL.parse`, `CloseWatcher`, or for a method of any object only its
 * name, `union`.
 */
function newerUses(script: string, { globals, members, names }: NewerFunctions): Set<string> {
  const uses = new Set<string>();
  const visit = (node: Node, parent: Node, key: string): void => {
    const { type, object, property, computed } = node as {
      type?: string;
      object: Node;
      property: Node;
      computed: boolean;
    };
    if (type === 'MemberExpression' && !computed) {
      const name = String(property.name);
      // The owner is `URL`, also in `self.URL`.
      const owner = String(object.name ?? (object.property as Node | undefined)?.name);
      const isCalled = parent.type === 'CallExpression' && key === 'callee' && !parent.optional;
      if (members.has(`${owner}.${name}`)) uses.add(`${owner}.${name}`);
      else if (isCalled && names.has(name)) uses.add(name);
    }
    const isName =
      (parent.type === 'MemberExpression' || parent.type === 'Property') &&
      !parent.computed &&
      key !== 'object' &&
      key !== 'value';
    if (type === 'Identifier' && !isName && globals.has(String(node.name))) uses.add(String(node.name));
    for (const [name, child] of Object.entries(node)) {
      if (Array.isArray(child)) for (const each of child) each && visit(each as Node, node, name);
      else if (typeof child === 'object' && child !== null) visit(child as Node, node, name);
    }
  };
  visit(parseAst(script) as unknown as Node, {}, '');
  return uses;
}

test('the scripts call no function that a promised browser lacks', () => {
  const missing = missingFunctions();
  const example = `const page = URL.parse(address); const both = new Set(words).union(others); self.Promise.withResolvers();
    menu.hidePopover(); menu.hidePopover?.(); new CloseWatcher(); words.toSorted(); structuredClone(page)`;
  expect(newerUses(example, missing)).toEqual(
    new Set(['URL.parse', 'union', 'Promise.withResolvers', 'hidePopover', 'CloseWatcher']),
  );

  const scripts = readdirSync(join(DIST, 'assets')).filter((file) => file.endsWith('.js'));
  const uses = new Set<string>();
  for (const file of [...scripts.map((name) => `assets/${name}`), 'sw.js'])
    for (const use of newerUses(readFileSync(join(DIST, file), 'utf8'), missing)) uses.add(use);
  expect([...uses].sort()).toEqual(Object.values(ALLOWED).flat().sort());
});
