/** What the words being typed may become, from the tenders on the device. */

import type { Place } from '@nivida/contract/list-address';
import { useEffect, useState } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { currentTime } from '../../../data/clock.ts';
import { openScope, scopeFor } from './local.ts';
import { scopeOfState, searchableScopes, usePacks } from './status.ts';

const NONE: readonly string[] = [];
/** As the engine: a single letter could become anything. */
const LEAST_CHARACTERS = 2;

async function suggest(text: string, scope: string, { state, district, department }: Place) {
  const opened = await openScope(scope);
  const place = { state: state || null, district: district || null, department: department || null };
  return opened?.engine.suggest(text, place, currentTime());
}

/** Completions of `text`, at most eight; none while the device has no copy of the place's state. */
export function useSuggestions(text: string, within: Place): readonly string[] {
  const { state, district, department } = within;
  const searchable = usePacks(useShallow(searchableScopes));
  const isRead = usePacks((packs) => packs.isRead);
  const scope = isRead ? scopeFor(scopeOfState(state), searchable) : undefined;
  const [suggested, setSuggested] = useState(NONE);
  const typed = text.trim().length < LEAST_CHARACTERS ? '' : text;

  useEffect(() => {
    if (typed === '' || scope === undefined) return;
    let isWanted = true;
    const place = { state, district, department, q: '' };
    suggest(typed, scope, place).then(
      (found) => isWanted && found && setSuggested(found),
      () => undefined, // the box works without
    );
    return () => {
      isWanted = false;
    };
  }, [typed, scope, state, district, department]);

  return typed === '' || scope === undefined ? NONE : suggested;
}
