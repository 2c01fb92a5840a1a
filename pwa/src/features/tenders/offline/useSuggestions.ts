/** Completions of typed words from the tenders on the device. */

import { type PlaceFilter, placeFilterParams } from '@nivida/contract/search/tender-filter';
import { useEffect, useState } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { currentTime } from '../../../data/clock.ts';
import { openScopeEngine, searchableScopeFor } from '../packs/local-engines.ts';
import { scopeOfState, searchableScopes, usePacks } from '../packs/pack-status.ts';

const NO_SUGGESTIONS: readonly string[] = [];
/** The same minimum as in the engine. */
const MIN_CHARACTERS = 2;

async function suggestOnDevice(text: string, scope: string, place: Omit<PlaceFilter, 'q' | 'literal'>) {
  const opened = await openScopeEngine(scope);
  return opened?.engine.suggest(text, place, currentTime());
}

/** At most eight completions of `text`; none without a pack of the place's state. */
export function useSuggestions(text: string, within: PlaceFilter): readonly string[] {
  const { state, districts, departments } = within;
  const searchable = usePacks(useShallow(searchableScopes));
  const isRead = usePacks((packs) => packs.isRead);
  const scope = isRead ? searchableScopeFor(scopeOfState(state), searchable) : undefined;
  const [suggested, setSuggested] = useState(NO_SUGGESTIONS);
  const place = placeFilterParams({ ...within, q: '', literal: null }).toString();
  const typed = text.trim().length < MIN_CHARACTERS ? '' : text;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the text has the place
  useEffect(() => {
    if (typed === '' || scope === undefined) return;
    let isWanted = true;
    suggestOnDevice(typed, scope, { state, districts, departments }).then(
      (found) => isWanted && found && setSuggested(found),
      () => undefined, // suggestions are optional
    );
    return () => {
      isWanted = false;
    };
  }, [typed, scope, place]);

  return typed === '' || scope === undefined ? NO_SUGGESTIONS : suggested;
}
