import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { JOBS } from './features.ts';

const SOURCES = join(import.meta.dirname, '..');

test('every job that is declared is registered by the module of its feature, each under its own name', () => {
  const declared = globSync('**/*.ts', { cwd: SOURCES }).flatMap((file) =>
    [...readFileSync(join(SOURCES, file), 'utf8').matchAll(/^export const \w+Job: Job = \{\s*name: '([\w-]+)'/gm)].map(
      ([, name = '']) => name,
    ),
  );
  expect(JOBS.map(({ name }) => name).sort()).toEqual(declared.sort());
  expect(new Set(declared).size).toBe(declared.length);
  expect(declared.length).toBeGreaterThan(10);
});
