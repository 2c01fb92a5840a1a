/**
 * The site of the documents: `npm run docs`. VitePress 1 brings Vite 5 and Vue, so it is a package of its own, which `npm ci`
 * of the product does not install. A dead link fails the build.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { slugOf } from '../slug.js';

const DOCS = resolve(import.meta.dirname, '../../docs');
/** Where links to files outside of docs lead, such as https://git.example.org/nivida/blob/main; unset: they are plain text. */
const SOURCE = process.env.SOURCE_URL;

const read = (page) => readFileSync(join(DOCS, page), 'utf8');
const titleOf = (page) => /^# (.+)$/m.exec(read(page))?.[1] ?? page;
const entryOf = (page) => ({ text: titleOf(page), link: `/${page.replace(/\.md$/, '')}` });
const listed = (folder) => globSync(`${folder}/*.md`, { cwd: DOCS }).sort().map(entryOf);

const GROUPS = [
  ['Walks', ['try-it.md', 'run-it.md', 'change-it.md']],
  [
    'Running it',
    ['configuration.md', 'operations.md', 'runbook.md', 'scaling.md', 'data.md', 'awards.md', 'security.md'],
  ],
  ['Building it', ['architecture.md', 'glossary.md', 'requirements.md', 'testing.md', 'benchmarks.md', 'api.md']],
];

/** Links of the pages to files outside of docs. */
function linkToSource(md) {
  md.core.ruler.push('source-links', ({ tokens, env }) => {
    for (const { children } of tokens) {
      let isDropped = false;
      for (const token of children ?? []) {
        if (token.type === 'link_open') {
          const href = token.attrGet('href') ?? '';
          const target = /^[a-z]+:|^#/.test(href) ? DOCS : resolve(DOCS, dirname(env.relativePath), href.split('#')[0]);
          const isOutside = relative(DOCS, target).startsWith('..');
          if (isOutside && !existsSync(target)) throw new Error(`${env.relativePath}: ${href} does not exist`);
          isDropped = isOutside && !SOURCE;
          if (isOutside && SOURCE)
            token.attrSet('href', `${SOURCE}/${relative(dirname(DOCS), target)}${/#.*/.exec(href)?.[0] ?? ''}`);
        }
        if (isDropped && /^link_(open|close)$/.test(token.type)) {
          if (token.type === 'link_close') isDropped = false;
          Object.assign(token, { type: 'text', tag: '', content: '', nesting: 0, attrs: null });
        }
      }
    }
  });
}

/** Fragments of links that no heading has. */
function deadFragments(pages) {
  const anchors = (page) => new Set([...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => slugOf(heading)));
  return pages.flatMap((page) =>
    [...read(page).matchAll(/\]\(([^)\s:#]*)#([^)\s]+)\)/g)]
      .filter(([, path]) => !relative(DOCS, resolve(DOCS, dirname(page), path)).startsWith('..'))
      .filter(([, path, fragment]) => !anchors(path ? join(dirname(page), path) : page).has(fragment))
      .map(([, path, fragment]) => `${page}: ${path}#${fragment}`),
  );
}

// biome-ignore lint/style/noDefaultExport: VitePress reads it
export default {
  title: 'Nivida',
  description: 'Documents of Nivida: government tenders of India, found, saved and reminded of, also without a network',
  // A copy: pages outside of this package would not find Vue.
  srcDir: './pages',
  outDir: './dist',
  cacheDir: './node_modules/.cache',
  cleanUrls: true,
  // Addresses of a demonstration are no pages of the site.
  ignoreDeadLinks: 'localhostLinks',
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    sidebar: [
      ...GROUPS.map(([text, pages]) => ({ text, items: pages.map(entryOf) })),
      { text: 'Decisions', collapsed: true, items: listed('decisions') },
      { text: 'Measurements', collapsed: true, items: listed('measurements') },
    ],
  },
  markdown: { anchor: { slugify: slugOf }, config: linkToSource },
  buildEnd({ pages }) {
    const dead = deadFragments(pages);
    if (dead.length > 0) throw new Error(`dead links:\n${dead.join('\n')}`);
  },
};
