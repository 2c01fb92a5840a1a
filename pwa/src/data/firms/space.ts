/**
 * Spaces of records: a user's own one, and one for each firm of the user. The owner of a record on the device is the user's
 * id, '' when signed out, or both ids for a firm. So two users of one phone never share a firm's rows.
 */
import { create } from 'zustand';
import { browserStorage } from '../device/browser-storage.ts';
import { currentOwner, useOwner } from '../session.ts';
import { firmOwner } from './firm-list.ts';

/** The user of an owner of records. */
export const userOf = (owner: string): string => owner.split(' ')[0] ?? '';

/** The firm of an owner of records; undefined for the user's own records. */
export const firmOf = (owner: string): string | undefined => owner.split(' ')[1];

const STORAGE_KEY = 'space';

interface SpaceState {
  /** The owner of the chosen firm's records; '' when none is chosen. */
  owner: string;
}

const readChoice = (): SpaceState => ({ owner: browserStorage()?.getItem(STORAGE_KEY) ?? '' });

// The initial state is the server snapshot, as in session.ts.
const useChoice = create<SpaceState>(() => ({ owner: '' }));
useChoice.setState(readChoice());
globalThis.window?.addEventListener('storage', ({ key }) => {
  if (key === null || key === STORAGE_KEY) useChoice.setState(readChoice());
});

/** Shows the records of a firm of the signed-in user; undefined: the user's own ones. In all tabs. */
export function chooseSpace(firmId: string | undefined): void {
  const owner = firmId === undefined ? '' : firmOwner(currentOwner(), firmId);
  try {
    if (owner === '') browserStorage()?.removeItem(STORAGE_KEY);
    else browserStorage()?.setItem(STORAGE_KEY, owner);
  } catch {
    // The choice lasts until the tab is closed.
  }
  useChoice.setState({ owner });
}

/** The chosen firm counts for its user only. */
const spaceOf = (user: string, chosen: string): string => (user !== '' && userOf(chosen) === user ? chosen : user);

/** The owner of the records that screens show and change. */
export const currentRecordOwner = (): string => spaceOf(currentOwner(), useChoice.getState().owner);

/** `currentRecordOwner` for a screen. */
export function useRecordOwner(): string {
  const chosen = useChoice(({ owner }) => owner);
  return spaceOf(useOwner(), chosen);
}

/** Wraps `work` for a later call. The call does nothing in another space, or after another user has signed in. */
export function inPresentSpace(work: () => void): () => void {
  const owner = currentRecordOwner();
  return () => {
    if (currentRecordOwner() === owner) work();
  };
}
