/** Completions of typed words from the tenders on the device. */

import { type PlaceFilter, placeFilterParams } from '@nivida/contract/filter/tender-filter';
import type { Suggestion } from '@nivida/contract/search/suggest-works';
import { useEffect, useState } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { currentTime } from '../../data/clock.ts';
import { EngineClient } from '../../offline/engine/engine-client.ts';
import { openScopeEngine, searchableScopeFor } from '../../offline/packs/local-engines.ts';
import { scopeOfState, searchableScopes, usePacks } from '../../offline/packs/pack-status.ts';

const NO_SUGGESTIONS: readonly Suggestion[] = [];
let plainEngine: EngineClient | undefined;

function engineWithoutTenders(): EngineClient {
  plainEngine ??= EngineClient.start();
  return plainEngine;
}

/** Must equal the minimum in the engine. */
const MIN_CHARACTERS = 2;

/** A tender id belongs to one state, which the typed text does not name. */
const ID_PATTERN = /^\s*\d{4}_/;

/**
 * Suggestions from the device. `isWanted` returns false when a newer text was typed; its suggestions must not
 * be cancelled.
 */
async function suggestOnDevice(
  text: string,
  scope: string | undefined,
  searchable: readonly string[],
  place: Omit<PlaceFilter, 'q' | 'literal'>,
  isWanted: () => boolean,
) {
  const suggestIn = async (each: string) => {
    const opened = await openScopeEngine(each);
    return opened ? opened.engine.suggest(text, place, currentTime()) : NO_SUGGESTIONS;
  };
  if (scope !== undefined) return suggestIn(scope);
  if (ID_PATTERN.test(text))
    for (const each of searchable) {
      const found = await suggestIn(each);
      if (!isWanted() || found?.length) return found;
    }
  return engineWithoutTenders().suggest(text, place, currentTime());
}

/**
 * At most eight completions of `text`. Without a pack of the place's state: only works, places and
 * departments, and ids from all packs.
 */
export function useSuggestions(text: string, within: PlaceFilter): readonly Suggestion[] {
  const { state, districts, departments } = within;
  const searchable = usePacks(useShallow(searchableScopes));
  const isRead = usePacks((packs) => packs.isRead);
  const scope = isRead ? searchableScopeFor(scopeOfState(state), searchable) : undefined;
  const [suggested, setSuggested] = useState(NO_SUGGESTIONS);
  const place = placeFilterParams({ ...within, q: '', literal: null }).toString();
  const typed = text.trim().length < MIN_CHARACTERS ? '' : text;

  // biome-ignore lint/correctness/useExhaustiveDependencies: `place` is the text of the fields of `within`
  useEffect(() => {
    if (typed === '' || !isRead) return;
    let isWanted = true;
    suggestOnDevice(typed, scope, searchable, { state, districts, departments }, () => isWanted).then(
      (found) => isWanted && found && setSuggested(found),
      () => undefined, // Suggestions are optional.
    );
    return () => {
      isWanted = false;
    };
  }, [typed, scope, place, isRead]);

  return typed === '' ? NO_SUGGESTIONS : suggested;
}
