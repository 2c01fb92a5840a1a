/** The build steps of texts, for app, server and tests: Lingui's macros, and the catalogues of `texts`. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type PluginObj, transformAsync, types } from '@babel/core';
import linguiMacro from '@lingui/babel-plugin-lingui-macro';
import { getCatalogs } from '@lingui/cli/api';
import { getConfig } from '@lingui/conf';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import { pageEntries } from '@nivida/contract/site/pages';
import type { Plugin } from 'vite';

const root = import.meta.dirname;

/** Lingui reads texts in production only when they are compiled, as it does with those of a catalogue. */
const compileEnglish: PluginObj = {
  visitor: {
    Program: {
      exit(program) {
        program.traverse({
          ObjectProperty(property) {
            const { key, value } = property.node;
            const isText = property.parent.leadingComments?.some((comment) => comment.value.includes('i18n'));
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

/** The files of the app that are loaded with the screens a visitor sees first. */
function firstFiles(): ReadonlySet<string> {
  const files = new Set<string>();
  const visit = (file: string): void => {
    if (files.has(file) || !existsSync(file)) return;
    files.add(file);
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/^(?:import|export) (?!type)[^;]*?'(\.[^']+)'/gm))
      visit(resolve(dirname(file), path));
  };
  for (const file of ['main.tsx', 'screens/frame/PublicFrame.tsx', ...FIRST_SCREENS])
    visit(join(root, 'pwa/src', file));
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

/** The parts of a catalogue that programs load. Three facts say where a text is. */
const PARTS: Record<string, (text: { isFirst: boolean; isApp: boolean; isServer: boolean }) => boolean> = {
  first: ({ isFirst }) => isFirst,
  rest: ({ isFirst, isApp }) => isApp && !isFirst,
  app: ({ isFirst, isApp }) => isFirst || isApp,
  server: ({ isServer }) => isServer,
};

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
        const isWanted = PARTS[part];
        if (!isWanted) throw new Error(`${part} is no part of the texts`);
        this.addWatchFile(path);
        const [catalog] = await getCatalogs(getConfig({ cwd: root }));
        const messages = (await catalog?.read(locale)) ?? {};
        const first = firstFiles();
        const texts = Object.entries(messages).flatMap(([key, { translation, message, origin = [] }]) => {
          const files = origin.map(([file]) => file);
          const isFirst = files.some((file) => file.startsWith('api/contract/') || first.has(join(root, file)));
          const isApp = files.some((file) => file.startsWith('pwa/'));
          const isServer = files.some((file) => file.startsWith('api/'));
          const text = isPseudo ? message : translation;
          if (!text || !isWanted({ isFirst, isApp, isServer })) return [];
          return [[key, compileMessage(text, isPseudo ? pseudoText : undefined)] as const];
        });
        return `export const messages = JSON.parse(${JSON.stringify(JSON.stringify(Object.fromEntries(texts)))});`;
      },
    },
  };
}
