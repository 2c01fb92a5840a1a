/** Processor time of processes, from Linux' /proc. */
import { readdir, readFile } from 'node:fs/promises';

/** `USER_HZ`, which is 100 on all platforms of Node. */
const TICKS_A_SECOND = 100;

interface ProcessTimes {
  parent: number;
  own: number;
  /** Of children that have ended. */
  ofChildren: number;
}

/** Seconds that a process has run, without its children. */
export const cpuSeconds = async (pid: number): Promise<number> => (await timesOf(pid)).own;

/** Seconds that a process, its children and their ended predecessors have run. */
export async function cpuSecondsWithChildren(pid: number): Promise<number> {
  const { own, ofChildren } = await timesOf(pid);
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const all = await Promise.all(pids.map((each) => timesOf(Number(each)).catch(() => undefined)));
  return all.reduce((sum, each) => sum + (each?.parent === pid ? each.own : 0), own + ofChildren);
}

/** The parent of a process. */
export const parentOf = async (pid: number): Promise<number> => (await timesOf(pid)).parent;

async function timesOf(pid: number): Promise<ProcessTimes> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The name, in brackets, may contain spaces.
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [, parent = 0] = fields;
  const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11, 15);
  return { parent, own: (user + system) / TICKS_A_SECOND, ofChildren: (childUser + childSystem) / TICKS_A_SECOND };
}
