/**
 * Compresses each script and style with brotli at its highest level. That is too slow for compressing at each
 * request.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import type { Plugin } from 'vite';

const compress = promisify(brotliCompress);

/** Adds `NAME.br` beside every file below `assets/`. The server sends it to browsers that accept brotli. */
export function compressedFiles(): Plugin {
  return {
    name: 'compressed-files',
    apply: 'build',
    async writeBundle({ dir = '' }, bundle) {
      const files = Object.values(bundle).filter(({ fileName }) => fileName.startsWith('assets/'));
      await Promise.all(
        files.map(async (file) => {
          const content = file.type === 'chunk' ? file.code : file.source;
          await writeFile(join(dir, `${file.fileName}.br`), await compress(content));
        }),
      );
    },
  };
}
