/** The library of documents that the signed-in user has bought, or downloaded with a plan. */
import { type OwnedPackage, OwnedPackages } from '@nivida/contract/document';
import { useCallback, useEffect, useState } from 'react';
import { keepAnswers, type Shown, useAnswer } from '../../data/answers.ts';
import { api } from '../../data/api.ts';
import { useOwnedList } from '../../data/owned.ts';
import { keptVersions } from './keep.ts';

const libraries = keepAnswers(async (_userId) => (await api.get('api/documents').json(OwnedPackages)).packages);

/** The user's packages, what was acquired last first; without signal as they were last told. */
export function useLibrary(userId: string): Shown<OwnedPackage[]> {
  return useOwnedList(userId, 'packages', libraries);
}

/**
 * Whether the user has the documents of a tender already: nobody is asked to pay twice. False while that is not known.
 * `isChanging` while it may be bought; it is asked anew afterwards.
 */
export function useIsOwned(userId: string | null, tenderId: string, isChanging: boolean): boolean {
  const { answer } = useAnswer(libraries, userId);
  useEffect(() => {
    if (userId !== null && isChanging) return () => void libraries.refresh(userId);
  }, [userId, isChanging]);
  return answer?.some((owned) => owned.tenderId === tenderId) ?? false;
}

/** The versions of the user's packages that are on this device, by NIT, and the way to look again. */
export function useKept(userId: string): { kept: ReadonlyMap<string, number>; look: () => Promise<void> } {
  const [kept, setKept] = useState<ReadonlyMap<string, number>>(new Map());
  const look = useCallback(async () => setKept(await keptVersions(userId)), [userId]);
  useEffect(() => void look(), [look]);
  return { kept, look };
}
