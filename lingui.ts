/** The build steps of texts, for app, server and tests: Lingui's macros, and the catalogues of `texts`. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { type PluginObj, transformAsync, types } from '@babel/core';
import linguiMacro from '@lingui/babel-plugin-lingui-macro';
import { getCatalogs } from '@lingui/cli/api';
import { getConfig } from '@lingui/conf';
import type { Messages } from '@lingui/core';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import { pageEntries } from '@nivida/contract/site/pages';
import type { Plugin } from 'vite';

const root = import.meta.dirname;

/** In production Lingui cannot parse a message. So the English ones are compiled here, like those of a catalogue. */
const compileEnglish: PluginObj = {
  visitor: {
    Program: {
      exit(program) {
        program.traverse({
          ObjectProperty(property) {
            const { key, value } = property.node;
            const isText = property.parent.leadingComments?.some((comment) => comment.value.includes('i18n'));
            // The context is a part of the id.
            if (isText && types.isIdentifier(key, { name: 'context' })) property.remove();
            if (isText && types.isIdentifier(key, { name: 'message' }) && types.isStringLiteral(value))
              property.get('value').replaceWith(types.valueToNode(compileMessage(value.value)));
          },
        });
      },
    },
  },
};

/** Turns the macros `t`, `plural` and `Trans` into calls with the English text in them. */
export function linguiMacros(): Plugin {
  return {
    name: 'lingui-macros',
    enforce: 'pre',
    transform: {
      filter: { id: /\.tsx?$/, code: /from '@lingui\/(?:core|react)\/macro'/ },
      async handler(code, id) {
        const result = await transformAsync(code, {
          filename: id,
          babelrc: false,
          configFile: false,
          sourceMaps: true,
          parserOpts: { plugins: ['typescript', 'jsx', 'decorators-legacy'] },
          plugins: [[linguiMacro, { descriptorFields: 'message' }], compileEnglish],
        });
        return result?.code ? { code: result.code, map: result.map } : null;
      },
    },
  };
}

const FIRST_SCREENS = pageEntries().flatMap(([, { isStored, screen }]) =>
  isStored ? `screens/${screen}.screen.tsx` : [],
);

/** A static import of a file of the app or of the contract; types are none. */
const IMPORT = /^(?:import|export) (?!type)(?:[^;'(]* from )?'((?:\.|@nivida\/contract\/)[^']+)'/gm;

/** A dynamic import of code without components: an action, which may show a text as soon as it is here. */
const IMPORT_OF_ACTION = /\bimport\('(\.[^']+\.ts)'\)/g;

/**
 * The files that are loaded with files of the app, of the contract too, and the app's own files of their actions. Components
 * that are loaded later wait for all texts (`lazy`), and so do their forms, whose rules are in the contract.
 */
function filesFrom(entries: readonly string[]): ReadonlySet<string> {
  const files = new Set<string>();
  const actions: string[] = [];
  const visit = (file: string, isAction: boolean): void => {
    if (files.has(file) || !existsSync(file)) return;
    files.add(file);
    const code = readFileSync(file, 'utf8');
    for (const [, path = ''] of code.matchAll(IMPORT))
      if (path.startsWith('.')) visit(resolve(dirname(file), path), isAction);
      else if (!isAction) visit(join(root, `${path.replace('@nivida', 'api')}.ts`), isAction);
    for (const [, path = ''] of code.matchAll(IMPORT_OF_ACTION)) actions.push(resolve(dirname(file), path));
  };
  for (const entry of entries) visit(join(root, 'pwa/src', entry), false);
  for (const action of actions) visit(action, true);
  return files;
}

/**
 * With PSEUDO_TEXTS=1, for developers, a catalogue has the English texts with accents, two fifths longer. What then has no
 * accents is in no catalogue, and what is cut off does not fit.
 */
const isPseudo = process.env.PSEUDO_TEXTS === '1';

const ACCENTED = new Map(
  [...'aceinosuyzACEINOSUYZ'].map((letter, index) => [letter, [...'áçéíñöšüýžÅÇÉÍÑÖŠÜÝŽ'][index] ?? letter]),
);

const pseudoText = (text: string): string =>
  /[a-z]{2}/i.test(text)
    ? text.replace(/[a-z]/gi, (letter) => ACCENTED.get(letter) ?? letter) + '~'.repeat(Math.ceil(text.length * 0.4))
    : text;

/** Says for each part of a catalogue which texts are in it, by the files of a text. */
function textsOfParts(): Record<string, (files: readonly string[]) => boolean> {
  const isIn = (set: ReadonlySet<string>) => (files: readonly string[]) => files.some((file) => set.has(file));
  const isBelow = (folders: RegExp) => (files: readonly string[]) =>
    files.some((file) => folders.test(relative(root, file)));
  const firstFiles = filesFrom(['main.tsx', 'screens/frame/PublicFrame.tsx', ...FIRST_SCREENS]);
  // The first lists name districts.
  const first = isIn(new Set([...firstFiles, join(root, 'api/contract/regions/regions.json')]));
  const app = isBelow(/^(?:pwa\/src|api\/contract)\//);
  const isOfDesk = (file: string) =>
    /^(?:pwa\/src\/(?:screens|features)|api\/contract)\/desk\//.test(relative(root, file));
  // Texts of the server are not the app's.
  const isOnlyOfDesk = (files: readonly string[]) =>
    files.some(isOfDesk) && files.every((file) => isOfDesk(file) || relative(root, file).startsWith('api/src/'));
  return {
    first,
    rest: (files) => app(files) && !first(files) && !isOnlyOfDesk(files),
    desk: isOnlyOfDesk,
    app,
    worker: isIn(filesFrom(['sw.ts'])),
    server: isBelow(/^api\//),
    manifest: isIn(filesFrom(['../app-manifest.ts'])),
  };
}

/** The compiled texts of one part of a catalogue, by id. */
export async function readTexts(locale: string, part: string): Promise<Messages> {
  const isWanted = textsOfParts()[part];
  if (!isWanted) throw new Error(`${part} is no part of the texts`);
  const [catalog] = await getCatalogs(getConfig({ cwd: root }));
  const messages = (await catalog?.read(locale)) ?? {};
  const texts = Object.entries(messages).flatMap(([key, { translation, message, origin = [] }]) => {
    const text = isPseudo ? (message ?? key) : translation;
    if (!text || !isWanted(origin.map(([file]) => join(root, file)))) return [];
    return [[key, compileMessage(text, isPseudo ? pseudoText : undefined)] as const];
  });
  return Object.fromEntries(texts);
}

/** Loads `texts/hi.po?part=first`: the texts of one part of the catalogue, by id. */
export function linguiCatalogues(): Plugin {
  return {
    name: 'lingui-catalogues',
    enforce: 'pre',
    load: {
      filter: { id: /\/texts\/\w+\.po\?part=\w+$/ },
      async handler(id) {
        const [path = '', part = ''] = id.split('?part=');
        const [, locale = ''] = /(\w+)\.po$/.exec(path) ?? [];
        this.addWatchFile(path);
        const texts = await readTexts(locale, part);
        return `export const messages = JSON.parse(${JSON.stringify(JSON.stringify(texts))});`;
      },
    },
  };
}
