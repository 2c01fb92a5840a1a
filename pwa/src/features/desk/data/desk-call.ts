/** Calls of the desk: each waits for the passkey where one is needed, and an act is sent again until its answer is here. */
import { ACT_KEY_HEADER, UNATTENDED_HEADER } from '@nivida/contract/desk/act';
import type { KyInstance } from 'ky';
import type * as v from 'valibot';
import { apiOf, assertOnline, isConnectionError, refusalOf } from '../../../data/server/api.ts';
import { currentOwner } from '../../../data/session.ts';
import { askPasskey } from '../gate/gate.ts';

/** Makes a call, and makes it again after the passkey that it needs. Throws `PasskeyNotShownError` when none is shown. */
export async function withPasskey<T>(call: () => Promise<T>): Promise<T> {
  for (;;)
    try {
      return await call();
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal?.code !== 'PASSKEY_NEEDED') throw error;
      await askPasskey(refusal.message);
    }
}

/** Without use for this time the page is unattended, in milliseconds. */
const ATTENDED_FOR_MS = 60_000;
let usedAt = performance.now();
const noteUse = () => {
  usedAt = performance.now();
};
// Screen readers, voice and switches press, fill and focus without a pointer or a key.
for (const name of ['pointerdown', 'keydown', 'wheel', 'click', 'input', 'focusin'])
  globalThis.addEventListener?.(name, noteUse, { capture: true, passive: true });

/** The calls of a user at the desk. What the page asks while no one uses it does not keep the desk open. */
export const deskApi = (owner: string): KyInstance =>
  apiOf(owner).extend({
    cache: 'no-store',
    headers: performance.now() - usedAt > ATTENDED_FOR_MS ? { [UNATTENDED_HEADER]: 'true' } : {},
  });

/** Makes a call for the present user, and makes it again after the passkey that it needs. */
export function callDesk<T>(call: (desk: KyInstance) => Promise<T>): Promise<T> {
  const owner = currentOwner();
  return withPasskey(() => call(deskApi(owner)));
}

/** Reads `api/desk/{path}`. Nothing of the answer is stored on the device. */
export const readDeskAnswer = <S extends v.GenericSchema>(path: string, schema: S): Promise<v.InferOutput<S>> =>
  callDesk((desk) => desk.get(`api/desk/${path}`).json(schema));

/** Reads a file at `api/desk/{path}`. */
export const readDeskFile = (path: string): Promise<Blob> => callDesk((desk) => desk.get(`api/desk/${path}`).blob());

/** Pauses before an act without an answer is sent again, in milliseconds. */
const PAUSES_MS = [500, 2_000];

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** What an act sends: its address below `api/desk`, its body with the reason, and the key under which it is done once. */
export interface SentAct {
  path: string;
  body: object;
  key: string;
}

/**
 * Does an act. Offline nothing is sent. When the answer is lost, the same act is sent again with its key: the server does it
 * once. Throws the last error.
 */
export async function sendAct<S extends v.GenericSchema>(
  { path, body, key }: SentAct,
  schema: S,
): Promise<v.InferOutput<S>> {
  assertOnline();
  const send = () => {
    noteUse();
    return callDesk((desk) =>
      desk.post(`api/desk/${path}`, { json: body, headers: { [ACT_KEY_HEADER]: key } }).json(schema),
    );
  };
  for (const ms of PAUSES_MS)
    try {
      return await send();
    } catch (error) {
      if (!isConnectionError(error) || !navigator.onLine) throw error;
      await pause(ms);
    }
  return send();
}
