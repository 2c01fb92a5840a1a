/** The build step of texts: turns the macros `t`, `plural` and `Trans` of Lingui into calls with the English text in them. */
import { type PluginObj, transformAsync, types } from '@babel/core';
import linguiMacro from '@lingui/babel-plugin-lingui-macro';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import type { Plugin } from 'vite';

/** Lingui reads texts in production only when they are compiled, as it does with those of a catalogue. */
const compileEnglish: PluginObj = {
  visitor: {
    Program: {
      exit(program) {
        program.traverse({
          ObjectProperty(property) {
            const { key, value } = property.node;
            const isText = property.parent.leadingComments?.some((comment) => comment.value.trim() === 'i18n');
            if (isText && types.isIdentifier(key, { name: 'message' }) && types.isStringLiteral(value))
              property.get('value').replaceWith(types.valueToNode(compileMessage(value.value)));
          },
        });
      },
    },
  },
};

/** Vite's plugin for the app, the server and the tests. */
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
          parserOpts: { plugins: ['typescript', 'jsx', 'decorators'] },
          plugins: [[linguiMacro, { descriptorFields: 'message' }], compileEnglish],
        });
        return result?.code ? { code: result.code, map: result.map } : null;
      },
    },
  };
}
