/** Tenders whose documents have the words of a search: the server's answer, without a connection the device's. */
import { DocumentHits } from '@nivida/contract/documents/document-hits';
import { listQueryString, type TenderListQuery } from '@nivida/contract/filter/tender-filter';
import { useEffect, useRef, useState } from 'react';
import { currentTime } from '../../../data/clock.ts';
import { withDatabase } from '../../../data/device/database.ts';
import { api } from '../../../data/server/api.ts';
import { createQueryCache, useQuery } from '../../../data/server/query-cache.ts';
import { useOwner } from '../../../data/session.ts';

const cache = createQueryCache((query) =>
  api.get('api/tenders/in-documents', { searchParams: query }).json(DocumentHits),
);

/** Undefined while neither has answered. */
export function useDocumentHits(search: TenderListQuery): { found: DocumentHits; isOfDevice: boolean } | undefined {
  const query = listQueryString({ ...search, page: 1 });
  const { answer, error } = useQuery(cache, query);
  const owner = useOwner();
  const key = `${owner} ${query}`;
  const [local, setLocal] = useState<{ key: string; found: DocumentHits }>();
  const asked = useRef(search);
  asked.current = search;
  const isMissing = answer === undefined && error !== undefined;

  useEffect(() => {
    if (!isMissing) return;
    let isWanted = true;
    import('./device-hits.ts')
      .then(({ findOnDevice }) => withDatabase((db) => findOnDevice(db, owner, asked.current, currentTime())))
      // Without its code or its database the device has nothing to show.
      .then((found) => isWanted && setLocal({ key, found }))
      .catch(() => undefined);
    return () => {
      isWanted = false;
    };
  }, [isMissing, owner, key]);

  if (answer) return { found: answer, isOfDevice: false };
  return isMissing && local?.key === key ? { found: local.found, isOfDevice: true } : undefined;
}
