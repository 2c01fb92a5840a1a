/** Official files that are being sent. They go on while another page of the desk is shown, and end with the tab. */
import { t } from '@lingui/core/macro';
import { AttachedFile, DeskTenderFiles, type FileProblem } from '@nivida/contract/desk/documents';
import type { FileKind } from '@nivida/contract/orders/document-package';
import * as v from 'valibot';
import { create } from 'zustand';
import { currentOwner } from '../../../data/session.ts';
import { callDesk } from '../data/desk-call.ts';
import { reloadDesk } from '../data/desk-query.ts';
import { PasskeyNotShownError } from '../gate/gate.ts';
import { RefusedUploadError, sendFile } from './send-file.ts';

/** A file that is to be attached to a tender. */
export interface FileToSend {
  tenderId: number;
  /** The portal's id of the tender. */
  tender: string;
  name: string;
  kind: FileKind;
  allWorks: boolean;
  reason: string;
  file: File;
}

export interface Upload extends FileToSend {
  key: string;
  /** The member who sends it. It waits while another one is signed in. */
  owner: string;
  state: 'waiting' | 'sending' | 'stored' | 'same' | 'refused' | 'failed';
  /** Bytes that were sent. */
  sent: number;
  /** Why it was refused or failed, or a warning. */
  note: string | null;
  problem?: FileProblem | undefined;
}

export const useUploads = create<{ uploads: readonly Upload[] }>(() => ({ uploads: [] }));

const change = (key: string, changed: Partial<Upload>): void =>
  useUploads.setState(({ uploads }) => ({
    uploads: uploads.map((each) => (each.key === key ? { ...each, ...changed } : each)),
  }));

/** Files that are sent at the same time. */
const UPLOADS_AT_ONCE = 2;

const isOpen = ({ state }: Upload): boolean => state === 'waiting' || state === 'sending';

let running = 0;

/** Adds files, and sends two at a time. The package of a tender is built after its last file. */
export function sendFiles(files: readonly FileToSend[]): void {
  const added = files.map(
    (file) =>
      ({ ...file, key: crypto.randomUUID(), owner: currentOwner(), state: 'waiting', sent: 0, note: null }) as const,
  );
  useUploads.setState(({ uploads }) => ({ uploads: [...uploads, ...added] }));
  sendNext();
}

/** Sends a file again that failed. */
export function sendFileAgain(key: string): void {
  change(key, { state: 'waiting', sent: 0, note: null, problem: undefined });
  sendNext();
}

/** Takes these uploads off the screen, except those that are open or can be sent again. */
export const forgetEnded = (shown: readonly Upload[]): void =>
  useUploads.setState(({ uploads }) => ({
    uploads: uploads.filter((each) => isOpen(each) || each.state === 'failed' || !shown.includes(each)),
  }));

function sendNext(): void {
  while (running < UPLOADS_AT_ONCE) {
    const next = useUploads
      .getState()
      .uploads.find(({ state, owner }) => state === 'waiting' && owner === currentOwner());
    if (!next) return;
    running += 1;
    change(next.key, { state: 'sending' });
    void send(next).finally(() => {
      running -= 1;
      sendNext();
    });
  }
}

async function send({ key, tenderId, name, kind, allWorks, reason, file }: Upload): Promise<void> {
  const query = new URLSearchParams({ name, kind, allWorks: String(allWorks), reason });
  try {
    const answer = await sendFile(`/api/desk/documents/${tenderId}/files?${query}`, file, (sent) =>
      change(key, { sent }),
    );
    const { state, note, problem, isStored } = v.parse(AttachedFile, answer);
    change(key, {
      state: state === 'refused' ? 'refused' : isStored ? 'same' : 'stored',
      note,
      problem,
      sent: file.size,
    });
  } catch (error) {
    const isRefused = error instanceof RefusedUploadError;
    const lost = error instanceof PasskeyNotShownError ? t`The passkey was not shown` : t`The connection broke`;
    change(key, { state: isRefused ? 'refused' : 'failed', note: isRefused ? error.message : lost });
  }
  const ofTender = useUploads.getState().uploads.filter((each) => each.tenderId === tenderId);
  if (ofTender.some(isOpen)) return;
  // The server builds it within a minute when this call fails.
  if (ofTender.some(({ state }) => state === 'stored'))
    await callDesk((desk) =>
      desk.post(`api/desk/documents/${tenderId}/package`, { timeout: 120_000 }).json(DeskTenderFiles),
    ).catch(() => undefined);
  reloadDesk();
}
