/** Adds the files of each language that are no scripts: its manifest and the texts of the service worker. */
import { addTexts, inLanguage } from '@nivida/contract/i18n';
import { languages, pathIn } from '@nivida/contract/languages';
import type { Plugin } from 'vite';
import { readTexts } from '../lingui.ts';
import { appManifest } from './app-manifest.ts';

export function languageFiles(): Plugin {
  return {
    name: 'language-files',
    apply: 'build',
    async generateBundle() {
      for (const language of languages().filter((each) => each !== 'en')) {
        addTexts(language, await readTexts(language, 'manifest'));
        this.emitFile({
          type: 'asset',
          fileName: pathIn(language, '/manifest.webmanifest').slice(1),
          source: JSON.stringify(inLanguage(language, appManifest)),
        });
        // A service worker cannot import a script when it needs it.
        this.emitFile({
          type: 'asset',
          name: `${language}.json`,
          source: JSON.stringify(await readTexts(language, 'worker')),
        });
      }
    },
  };
}
