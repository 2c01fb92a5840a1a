import { readdir, readlink } from 'node:fs/promises';

/** The files at or below a path that this process has open. Only Linux names them. */
export async function openFiles(path: string): Promise<string[]> {
  const numbers = await readdir('/proc/self/fd').catch(() => []);
  const opened = await Promise.all(numbers.map((number) => readlink(`/proc/self/fd/${number}`).catch(() => '')));
  return opened.filter((each) => each === path || each.startsWith(`${path}/`));
}
