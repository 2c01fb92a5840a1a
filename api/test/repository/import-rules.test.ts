/**
 * Every import rule of biome.json, shown by one import that it refuses and one that it allows.
 * The examples are written to a temporary folder with the project's biome.json, so one run of the linter checks all of
 * them, cycles included.
 * Rules that the linter cannot check follow: the place of raw SQL, `useId`, unique exported names and the size of folders.
 */
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../../..');
const biome = join(root, 'node_modules/@biomejs/biome/bin/biome');

/** One example: its file name, its content, and the expected message of the linter (none: allowed). */
interface Example {
  file: string;
  code: string;
  says?: string;
}

const refused = (file: string, code: string, says: string): Example => ({ file, code, says });
const allowed = (file: string, code: string): Example => ({ file, code });
const from = (path: string) => `import { thing } from '${path}';\nexport const other = thing;\n`;

const SCREENS = 'Screens, routes, main and sync import features, ui, offline, data and the contract.';
const FEATURE = 'A feature imports its own files, ui, offline, data and the contract; screens combine features.';
const RESULTS = 'The results import the search, the tender and “On this phone” too: their list shows all three.';
const OFFLINE = 'pwa/src/offline imports its own files, data and the contract.';
const DATA = 'pwa/src/data imports its own files and the contract.';
const UI = 'pwa/src/ui imports its own files only.';
const API_TOP = 'The top files of api/src import api/src and the contract.';
const FLOOR = 'Folders of api/src import those of lower floors and the contract: see docs/architecture.md.';
const FEATURE_PART =
  'Of another feature a feature imports its *.service, *.entity, *.port, *.job, *.guard or *.module.';
const CONTRACT = 'The contract imports its own files, valibot and Lingui.';
const SANDBOX = 'The payment sandbox imports its own files only.';
const JOURNEYS = 'The journeys import their own files only: they see what a user or a provider sees.';
const CYCLE = 'This import is part of a cycle.';
const BARREL =
  'Avoid barrel files, they slow down performance, and cause large module graphs with modules that go unused.';
const ENVIRONMENT = "Don't use process.env.";
const CONSOLE = "Don't use console.";
const UNDECLARED = "Dependency smtp-server isn't specified in api/package.json.";

/** The folders of api/src, from the highest floor to the lowest, as in docs/architecture.md. */
const FLOORS = [
  ['cli'],
  ['app'],
  ['desk'],
  ['backup'],
  ['device-changes', 'pages', 'retention', 'schema', 'users'],
  ['bookmarks', 'data-out', 'documents', 'support'],
  ['bids', 'ingest', 'orders', 'push'],
  ['awards', 'firms', 'invoices', 'plans', 'searches', 'site-status', 'sync', 'tenders'],
  ['auth'],
  ['mail'],
  ['http'],
  ['audit', 'database', 'jobs', 'payments', 'pdf', 'reading', 'storage'],
  ['base'],
];

/** A file and a file of a sub-folder that import from another folder of api/src. */
const imports = (name: string, other: string) => [
  { file: `api/src/${name}/${other}.ts`, code: from(`../${other}/a.service.ts`) },
  { file: `api/src/${name}/part/${other}.ts`, code: from(`../../${other}/part/a.service.ts`) },
];
const pairs = FLOORS.flatMap((floor, height) => floor.map((name) => ({ name, floor, height })));
/** Imports from every folder of the same floor and of higher ones. */
const UPWARD = pairs.flatMap(({ name, floor, height }) =>
  [...FLOORS.slice(0, height).flat(), ...floor]
    .filter((other) => other !== name)
    .flatMap((other) => imports(name, other)),
);
/** Imports from every folder of lower floors. */
const DOWNWARD = pairs.flatMap(({ name, height }) =>
  FLOORS.slice(height + 1)
    .flat()
    .flatMap((other) => imports(name, other)),
);

const RULES: Record<string, Example[]> = {
  'screens, routes, main and sync import features, ui, offline, data and the contract': [
    refused('pwa/src/routes-a.tsx', from('../../api/src/base/config.ts'), SCREENS),
    refused('pwa/src/main-a.tsx', from('@nivida/api/config'), SCREENS),
    refused('pwa/src/screens/Home-a.tsx', from('../routes.tsx'), SCREENS),
    refused('pwa/src/screens/Home-b.tsx', from('@nivida/api/config'), SCREENS),
    allowed('pwa/src/sync-a.ts', from('@nivida/contract/sync')),
    allowed('pwa/src/sync-b.ts', from('./offline/packs/packs.ts')),
    allowed('pwa/src/routes-b.tsx', "export const home = () => import('./screens/Home.tsx');\n"),
    allowed('pwa/src/screens/Home-c.tsx', from('../features/results/Results.tsx')),
    allowed('pwa/src/screens/Home-d.tsx', from('../ui/Button.tsx')),
    allowed('pwa/src/screens/Home-g.tsx', from('../offline/packs/packs.ts')),
    allowed('pwa/src/screens/Home-e.tsx', from('../data/session.ts')),
    allowed('pwa/src/screens/Home-f.tsx', from('@nivida/contract/tender')),
  ],
  'a feature of the app imports its own files, ui, offline, data and the contract, never another feature': [
    refused('pwa/src/features/bookmarks/a.ts', from('../tender/labels.ts'), FEATURE),
    refused('pwa/src/features/bookmarks/b.ts', "export const late = () => import('../tender/labels.ts');\n", FEATURE),
    refused('pwa/src/features/bookmarks/c.ts', "export type { T } from '../tender/labels.ts';\n", FEATURE),
    refused('pwa/src/features/bookmarks/d.ts', from('../../screens/Home.tsx'), FEATURE),
    refused('pwa/src/features/bookmarks/e.ts', from('../../sync.ts'), FEATURE),
    refused('pwa/src/features/bookmarks/f.ts', from('@nivida/api/config'), FEATURE),
    refused('pwa/src/features/tender/facts/a.ts', from('../../bookmarks/store.ts'), FEATURE),
    refused('pwa/src/features/tender/facts/b.ts', from('../../../screens/Home.tsx'), FEATURE),
    refused('pwa/src/features/tender/facts/e.ts', from('@nivida/api/config'), FEATURE),
    allowed('pwa/src/features/tender/facts/f.ts', from('../../../ui/Button.tsx')),
    allowed('pwa/src/features/tender/facts/g.ts', from('@nivida/contract/tender')),
    allowed('pwa/src/features/bookmarks/g.ts', from('./store.ts')),
    allowed('pwa/src/features/bookmarks/h.ts', from('../../ui/Button.tsx')),
    allowed('pwa/src/features/bookmarks/i.ts', from('../../data/db.ts')),
    allowed('pwa/src/features/bookmarks/j.ts', from('@nivida/contract/bookmark')),
    allowed('pwa/src/features/tender/facts/c.ts', from('../store.ts')),
    allowed('pwa/src/features/tender/facts/h.ts', from('../../../offline/packs/packs.ts')),
    allowed('pwa/src/features/bookmarks/k.ts', from('../../offline/packs/packs.ts')),
    allowed('pwa/src/features/tender/facts/d.ts', from('../../../data/db.ts')),
  ],
  'the results import the search, the tender and “On this phone” too, which import no other feature': [
    refused('pwa/src/features/results/a.ts', from('../bookmarks/store.ts'), RESULTS),
    refused('pwa/src/features/results/cards/a.ts', from('../../bookmarks/store.ts'), RESULTS),
    refused('pwa/src/features/search/a.ts', from('../results/Results.tsx'), FEATURE),
    refused('pwa/src/features/tender/a.ts', from('../results/Results.tsx'), FEATURE),
    refused('pwa/src/features/on-this-phone/a.ts', from('../tender/labels.ts'), FEATURE),
    allowed('pwa/src/features/results/b.ts', from('../search/search.ts')),
    allowed('pwa/src/features/results/c.ts', from('../../offline/packs/packs.ts')),
    allowed('pwa/src/features/results/cards/b.ts', from('../../tender/labels.ts')),
    allowed('pwa/src/features/results/cards/c.ts', from('../../../ui/Button.tsx')),
  ],
  'search on the device and offline packs import their own files, data and the contract': [
    refused('pwa/src/offline/a.ts', from('../ui/feedback/toast.ts'), OFFLINE),
    allowed('pwa/src/offline/b.ts', from('../data/clock.ts')),
    refused('pwa/src/offline/packs/a.ts', from('../../ui/feedback/toast.ts'), OFFLINE),
    refused('pwa/src/offline/packs/b.ts', from('../../features/tender/labels.ts'), OFFLINE),
    refused('pwa/src/offline/packs/c.ts', from('../../sync.ts'), OFFLINE),
    refused('pwa/src/offline/packs/d.ts', from('@nivida/api/config'), OFFLINE),
    allowed('pwa/src/offline/packs/e.ts', from('../engine/engine.ts')),
    allowed('pwa/src/offline/packs/f.ts', from('../../data/clock.ts')),
    allowed('pwa/src/offline/packs/g.ts', from('@nivida/contract/sync')),
  ],
  'the data of the app imports its own files and the contract': [
    refused('pwa/src/data/a.ts', from('../ui/Button.tsx'), DATA),
    refused('pwa/src/data/e.ts', from('../offline/packs/packs.ts'), DATA),
    refused('pwa/src/data/b.ts', from('@nivida/api/config'), DATA),
    allowed('pwa/src/data/c.ts', from('./db.ts')),
    allowed('pwa/src/data/d.ts', from('@nivida/contract/errors')),
  ],
  'the controls of the app import their own files only': [
    refused('pwa/src/ui/A.tsx', from('../data/format.ts'), UI),
    refused('pwa/src/ui/B.tsx', from('@nivida/contract/format'), UI),
    allowed('pwa/src/ui/C.tsx', from('./Icon.tsx')),
  ],
  'of another feature an API feature imports the services, entities, ports, jobs, guards and modules': [
    refused('api/src/documents/a.ts', from('../tenders/search.sql.ts'), FEATURE_PART),
    refused('api/src/documents/files/a.ts', from('../../orders/status/order-status.ts'), FEATURE_PART),
    refused('api/src/push/alerts/a.ts', from('../../tenders/search.sql.ts'), FEATURE_PART),
    refused('api/src/plans/a.ts', from('../auth/sessions/access-token.ts'), FEATURE_PART),
    allowed('api/src/documents/b.ts', from('../orders/order.entity.ts')),
    allowed('api/src/documents/c.ts', from('../orders/document-delivery.port.ts')),
    allowed('api/src/documents/d.ts', from('../tenders/publish-drafts.job.ts')),
    allowed('api/src/documents/e.ts', from('../auth/auth.guard.ts')),
    allowed('api/src/documents/f.ts', from('../orders/orders.module.ts')),
    allowed('api/src/documents/files/b.ts', from('../packages/packages.sql.ts')),
    allowed('api/src/documents/files/c.ts', from('../documents.sql.ts')),
    allowed('api/src/documents/g.ts', from('@nivida/contract/orders/order')),
  ],
  'the folders of api/src import nothing else of the repository than the contract': [
    refused('api/src/orders/sandbox.ts', from('../../sandbox/server.ts'), FLOOR),
    refused('api/src/orders/checkout/sandbox.ts', from('../../../sandbox/server.ts'), FLOOR),
    refused('api/src/orders/contract.ts', from('../../contract/order.ts'), FLOOR),
    refused('api/src/orders/pwa.ts', from('@nivida/pwa/data'), FLOOR),
    refused('api/src/base/cli.ts', from('../cli.ts'), FLOOR),
    allowed('api/src/base/contract.ts', from('@nivida/contract/errors')),
  ],
  'main and cli import everything of api/src; tests and benchmarks too': [
    refused('api/src/main-a.ts', from('../sandbox/server.ts'), API_TOP),
    refused('api/src/main-b.ts', from('@nivida/pwa/data'), API_TOP),
    allowed('api/src/main-c.ts', from('@nivida/contract/errors')),
    allowed('api/src/cli-b.ts', from('./ingest/gepnic-csv.ts')),
    allowed('api/src/orders/orders.test.ts', from('../../test/app.ts')),
    allowed('api/test/a.ts', from('../src/tenders/search.sql.ts')),
    allowed('api/bench/a.ts', from('../src/tenders/search.sql.ts')),
  ],
  'the contract imports its own files, valibot and Lingui': [
    refused('api/contract/a.ts', from('../src/config.ts'), CONTRACT),
    refused('api/contract/b.ts', from('node:fs'), CONTRACT),
    refused('api/contract/c.ts', from('ky'), CONTRACT),
    allowed('api/contract/d.ts', from('./errors.ts')),
    allowed('api/contract/e.ts', from('valibot')),
    allowed('api/contract/f.ts', from('@lingui/core/macro')),
    allowed('api/contract/e.test.ts', from('vitest')),
  ],
  'the payment sandbox imports its own files only': [
    refused('api/sandbox/a.ts', from('../src/payments/phonepe.ts'), SANDBOX),
    refused('api/sandbox/b.ts', from('@nivida/contract/order'), SANDBOX),
    allowed('api/sandbox/c.ts', from('./ledger.ts')),
  ],
  'the journeys import their own files, and in a folder the certificate, Razorpay and generated documents of the API’s tests':
    [
      refused('e2e/a.spec.ts', from('../pwa/src/data/format.ts'), JOURNEYS),
      refused('e2e/b.spec.ts', from('@nivida/contract/format'), JOURNEYS),
      refused('e2e/firefox/a.spec.ts', from('../../api/src/base/config.ts'), JOURNEYS),
      refused('e2e/firefox/c.spec.ts', from('@nivida/contract/format'), JOURNEYS),
      allowed('e2e/c.spec.ts', from('./test.ts')),
      allowed('e2e/firefox/b.spec.ts', from('../test.ts')),
      refused('e2e/firefox/e.ts', from('../../api/test/support/accounts.ts'), JOURNEYS),
      allowed('e2e/firefox/d.ts', from('../../api/test/support/certificate.ts')),
      allowed('e2e/firefox/f.ts', from('../../api/test/support/generated-documents/pdf.ts')),
      allowed('e2e/orders/d.ts', from('../../api/test/payments/razorpay-server.ts')),
    ],
  'no file imports itself through others; in api types count too': [
    refused('api/src/sync/hen.ts', from('./egg.ts'), CYCLE),
    refused('api/src/sync/egg.ts', "import { other } from './hen.ts';\nexport const thing = () => other;\n", CYCLE),
    refused('api/src/sync/key.ts', "import type { Lock } from './lock.ts';\nexport type Key = Lock;\n", CYCLE),
    refused('api/src/sync/lock.ts', "import type { Key } from './key.ts';\nexport type Lock = { key?: Key };\n", CYCLE),
    allowed('api/src/sync/cook.ts', from('./pan.ts')),
    allowed('api/src/sync/pan.ts', 'export const thing = 1;\n'),
  ],
  'no barrels': [
    refused('api/contract/all-a.ts', "export * from './errors.ts';\n", BARREL),
    refused('api/contract/all-b.ts', "export * from './errors.ts';\n", 'Do not use export all ( export * from ... ).'),
    refused('pwa/src/ui/index.ts', "export { Button } from './Button.tsx';\n", BARREL),
    allowed('pwa/src/ui/Button-a.ts', 'export const Button = 1;\n'),
  ],
  'imports name the file with its extension': [
    refused('api/src/sync/short.ts', from('./pan'), 'Add a file extension for relative imports.'),
    allowed('api/src/sync/full.ts', from('./pan.ts')),
  ],
  'only the configuration of a tool has a default export': [
    refused('pwa/src/ui/Card.tsx', 'const Card = 1;\nexport default Card;\n', 'Avoid default exports.'),
    allowed('pwa/vite.config.ts', 'export default {};\n'),
  ],
  'the server imports its dependencies, its tests also those of development': [
    refused('api/src/mail/test-server.ts', "import 'smtp-server';\n", UNDECLARED),
    allowed('api/src/mail/send.ts', "import 'nodemailer';\n"),
    allowed('api/src/mail/send.test.ts', "import 'smtp-server';\n"),
  ],
  'only config.ts reads the environment': [
    refused('api/src/mail/port.ts', 'export const port = process.env.PORT;\n', ENVIRONMENT),
    refused('api/contract/limits.ts', 'export const port = process.env.PORT;\n', ENVIRONMENT),
    refused('pwa/src/data/limits.ts', 'export const port = process.env.PORT;\n', ENVIRONMENT),
    allowed('api/src/base/config.ts', 'export const port = process.env.PORT;\n'),
  ],
  'app and server do not write to the console, commands do': [
    refused('pwa/src/data/log.ts', "console.log('hello');\n", CONSOLE),
    refused('api/src/sync/log.ts', "console.log('hello');\n", CONSOLE),
    allowed('api/src/cli.ts', "console.log('hello');\n"),
    allowed('api/bench/log.ts', "console.log('hello');\n"),
    allowed('api/dev.js', "console.log('hello');\n"),
  ],
  // With a type-only import Nest would not find the class in the decorator metadata of the constructor.
  'a class that the server injects is imported as a value': [
    allowed(
      'api/src/orders/orders.controller.ts',
      "import { OrdersService } from './orders.service.ts';\nexport class OrdersController {\n  constructor(readonly orders: OrdersService) {}\n}\n",
    ),
  ],
};

let folder: string;
const messagesByPath = new Map<string, string[]>();

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'import-rules-'));
  mkdirSync(join(folder, 'api'));
  for (const name of ['biome.json', '.gitignore', 'api/package.json'])
    copyFileSync(join(root, name), join(folder, name));
  for (const { file, code } of [...Object.values(RULES).flat(), ...UPWARD, ...DOWNWARD]) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), code);
  }
  const run = spawnSync(process.execPath, [biome, 'lint', '--reporter=json', '--max-diagnostics=none', '.'], {
    cwd: folder,
    encoding: 'utf8',
  });
  for (const { location, message } of JSON.parse(run.stdout).diagnostics) {
    messagesByPath.set(location.path, [...(messagesByPath.get(location.path) ?? []), message]);
  }
});

afterAll(() => rmSync(folder, { recursive: true }));

describe.each(Object.entries(RULES))('%s', (_rule, examples) => {
  for (const { file, code, says } of examples) {
    const [line] = code.split('\n');
    test(`${file} ${says ? 'may not say' : 'may say'} ${line}`, () => {
      const messages = messagesByPath.get(file) ?? [];
      if (says) expect(messages).toContain(says);
      else expect(messages).toEqual([]);
    });
  }
});

const SQL_PATTERN = /\bSELECT\s|\bINSERT INTO\s|\bDELETE FROM\s|\bUPDATE \w+( (AS )?\w+)? SET\b|pg_(try_)?advisory/;
const COMMENT_PATTERN = /^\s*(\/?\*|\/\/).*$/gm;

/** The path and the code without comments of every source file below the folders. */
const readSources = (...folders: string[]) =>
  folders
    .flatMap((name) =>
      readdirSync(join(root, name), { recursive: true, encoding: 'utf8' }).map((path) => `${name}/${path}`),
    )
    .filter((path) => /(?<!\.test)\.tsx?$/.test(path) && !/node_modules|\/migrations\//.test(path))
    .map((path) => ({ path, code: readFileSync(join(root, path), 'utf8').replaceAll(COMMENT_PATTERN, '') }));

test('a folder of api/src imports no folder of its floor or a higher one, and every folder of lower ones', () => {
  const says = (file: string) => messagesByPath.get(file) ?? [];
  expect(UPWARD.filter(({ file }) => !says(file).includes(FLOOR))).toEqual([]);
  expect(DOWNWARD.filter(({ file }) => says(file).length > 0)).toEqual([]);
});

test('every folder of api/src has a floor', () => {
  const folders = new Set(globSync('*/**/*.ts', { cwd: join(root, 'api/src') }).map((path) => path.split('/')[0]));
  expect([...folders].sort()).toEqual(FLOORS.flat().sort());
});

test('raw SQL is written in *.sql.ts files and migrations only', () => {
  const withSql = readSources('api/src').filter(
    ({ path, code }) => !path.endsWith('.sql.ts') && SQL_PATTERN.test(code),
  );
  expect(withSql.map(({ path }) => path)).toEqual([]);
});

test('a name is exported by one file of the API, the contract, the app, the sandbox, the journeys and the helpers of tests and benchmarks', () => {
  const files = new Map<string, Set<string>>();
  const folders = ['api/src', 'api/contract', 'api/sandbox', 'api/test', 'api/bench', 'pwa/src', 'e2e'];
  // A lazy component has the name of the component that it loads.
  const sources = readSources(...folders).filter(({ path }) => !path.startsWith('pwa/src/screens/lazy'));
  for (const { path, code } of sources)
    for (const [, name = ''] of code.matchAll(
      /^export (?:abstract |async )*(?:const|function|class|interface|type) (\w+)/gm,
    ))
      files.set(name, (files.get(name) ?? new Set()).add(path));
  // React Router reads `handle` from the module of a route.
  expect([...files].filter(([name, paths]) => paths.size > 1 && name !== 'handle')).toEqual([]);
});

test('a folder holds at most 20 files, those of migrations and decisions excepted', () => {
  const counts = new Map<string, number>();
  const ignored = /node_modules|^(dist|dist-server|output)$/;
  const files = globSync('{api,pwa,e2e,docs,docker}/**', {
    cwd: root,
    withFileTypes: true,
    exclude: ({ name }) => ignored.test(name),
  });
  for (const entry of files) if (entry.isFile()) counts.set(entry.parentPath, (counts.get(entry.parentPath) ?? 0) + 1);
  const large = [...counts].filter(([path, count]) => count > 20 && !/migrations$|decisions$/.test(path));
  expect(large).toEqual([]);
});
