/** Reasons that were given in this tab, by act. They are not stored on the device: a reason may name a person. */
import { create } from 'zustand';

const MAX_REASONS = 4;

const useReasons = create<Record<string, readonly string[]>>(() => ({}));

/** The newest reasons of an act, newest first. */
export const useRecentReasons = (act: string): readonly string[] => useReasons((all) => all[act]) ?? NONE;
const NONE: readonly string[] = [];

export function noteReason(act: string, reason: string): void {
  useReasons.setState((all) => ({
    [act]: [reason, ...(all[act] ?? []).filter((other) => other !== reason)].slice(0, MAX_REASONS),
  }));
}
