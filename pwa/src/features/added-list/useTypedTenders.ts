import type { TenderSummary } from '@nivida/contract/tenders/tender';
import { type FoundInList, findInList, typedLines } from '@nivida/contract/tenders/tender-list';
import { useEffect, useMemo, useState } from 'react';
import { currentTime } from '../../data/clock.ts';
import { useReachability } from '../../data/server/reachability.ts';
import { usePackVersions } from '../../offline/queries/device-tenders.ts';
import { useOnline } from '../../ui/browser-state.ts';
import { askServer, findListOnDevice } from './look-up-list.ts';

/** What has been found of `words`: on the device, and at the server. Undefined until it was asked, null when it cannot be reached. */
interface Answers {
  words: string;
  device?: TenderSummary[];
  server?: TenderSummary[] | null;
}

interface TypedTenders {
  found: FoundInList;
  /** The device or the server is being asked. */
  isSearching: boolean;
  /** The server cannot be reached. */
  isWaiting: boolean;
}

/** The tenders that typed words name by their ids, from the device and, when it can be reached, from the server. */
export function useTypedTenders(words: string): TypedTenders {
  const lines = useMemo(() => typedLines(words), [words]);
  const isOnline = useOnline();
  const isReachable = useReachability(({ status }) => status === 'reachable');
  const packs = usePackVersions();
  const [answers, setAnswers] = useState<Answers>({ words });
  const { device, server } = answers.words === words ? answers : ({} as Answers);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `packs` changes when a pack has arrived
  useEffect(() => {
    let isCurrent = true;
    void findListOnDevice(lines, currentTime())
      .catch(() => [])
      .then((found) => isCurrent && setAnswers((before) => ({ ...ofWords(before, words), device: found })));
    return () => {
      isCurrent = false;
    };
  }, [lines, words, packs]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: without an answer asks again when the server can be reached again
  useEffect(() => {
    setAnswers((before) => ofWords(before, words));
    // What was found stays without a connection.
    if (server) return;
    const asked = isOnline ? askServer(lines).catch(() => null) : Promise.resolve(null);
    // On a slow connection the server is asked again before it has answered; the first answer counts.
    void asked.then((answer) =>
      setAnswers((before) =>
        before.words === words ? { ...before, server: answer ?? before.server ?? null } : before,
      ),
    );
  }, [lines, words, isOnline, isReachable]);

  const found = useMemo(() => findInList(lines, [...(device ?? []), ...(server ?? [])]), [lines, device, server]);
  return { found, isSearching: device === undefined || server === undefined, isWaiting: server === null };
}

/** Answers about other words do not count. */
const ofWords = (before: Answers, words: string): Answers => (before.words === words ? before : { words });
