/** The web app manifest, by which browsers install the app. */
import { currentLanguage, inPresentLanguage as text } from '@nivida/contract/i18n';
import { LANGUAGES, pathIn } from '@nivida/contract/languages';
import { PAGES } from '@nivida/contract/site/pages';
import type { ManifestOptions } from 'vite-plugin-pwa';
import { OPENED_FILE_TYPES, SHARED_FILE_TYPES, SHARED_FILES_FIELD } from './src/data/shared-files/share-target.ts';

const TEXTS = {
  name: /*i18n*/ 'Nivida: government tenders',
  search: /*i18n*/ 'Search tenders',
  searchShort: /*i18n*/ 'Search',
  saved: /*i18n*/ 'Saved tenders',
  savedShort: /*i18n*/ 'Saved',
  notices: /*i18n*/ 'Notices',
  list: /*i18n*/ 'Add a list of tenders',
  listShort: /*i18n*/ 'Add a list',
  narrow: /*i18n*/ 'Tenders on a phone, each with what is left until closing',
  wide: /*i18n*/ 'Tenders on a wide screen',
};

const shortcutIcons = [{ src: '/icons/any-192.png', sizes: '192x192' }];

/** The manifest in the present language. `src=pwa` marks addresses that the operating system opens; see `early.ts`. */
export function appManifest(): Partial<ManifestOptions> {
  const language = currentLanguage();
  const at = (path: string) => pathIn(language, path);
  return {
    // Browsers identify an installed app by this id, so it must never change.
    id: '/?app',
    name: text(TEXTS.name),
    short_name: 'Nivida',
    description: text(PAGES['/'].description),
    lang: LANGUAGES[language].locale,
    dir: 'ltr',
    start_url: `${at('/')}?src=pwa`,
    scope: '/',
    display: 'standalone',
    display_override: ['standalone', 'minimal-ui'],
    theme_color: '#ffffff',
    background_color: '#eef0f3',
    categories: ['business', 'productivity'],
    // The phone's share sheet. The service worker answers: it stores files, and a text with a tender's id or link opens the tender.
    share_target: {
      action: at('/share'),
      method: 'POST',
      enctype: 'multipart/form-data',
      params: {
        ...{ title: 'title', text: 'text', url: 'url' },
        files: [{ name: SHARED_FILES_FIELD, accept: SHARED_FILE_TYPES }],
      },
    },
    // The same page as for shared files; the app opens a CSV as a list of tenders.
    file_handlers: [{ action: at('/shared-files'), accept: OPENED_FILE_TYPES }],
    launch_handler: { client_mode: 'navigate-existing' },
    icons: [
      { src: '/icons/any-192.png', sizes: '192x192', type: 'image/png', purpose: 'any' },
      { src: '/icons/any-512.png', sizes: '512x512', type: 'image/png', purpose: 'any' },
      { src: '/icons/maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
      { src: '/icons/monochrome-512.png', sizes: '512x512', type: 'image/png', purpose: 'monochrome' },
    ],
    screenshots: [
      {
        src: '/screenshots/narrow.png',
        sizes: '720x1280',
        type: 'image/png',
        form_factor: 'narrow',
        label: text(TEXTS.narrow),
      },
      {
        src: '/screenshots/wide.png',
        sizes: '1280x800',
        type: 'image/png',
        form_factor: 'wide',
        label: text(TEXTS.wide),
      },
    ],
    shortcuts: [
      {
        name: text(TEXTS.search),
        short_name: text(TEXTS.searchShort),
        url: `${at('/tenders')}?src=pwa`,
        icons: shortcutIcons,
      },
      {
        name: text(TEXTS.saved),
        short_name: text(TEXTS.savedShort),
        url: `${at('/tenders')}?src=pwa#saved`,
        icons: shortcutIcons,
      },
      {
        name: text(TEXTS.notices),
        short_name: text(TEXTS.notices),
        url: `${at('/notices')}?src=pwa`,
        icons: shortcutIcons,
      },
      {
        name: text(TEXTS.list),
        short_name: text(TEXTS.listShort),
        url: `${at('/add-tenders')}?src=pwa`,
        icons: shortcutIcons,
      },
    ],
  };
}
