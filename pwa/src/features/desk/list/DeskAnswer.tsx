import { t } from '@lingui/core/macro';
import { formatAge } from '@nivida/contract/format';
import type { ReactNode } from 'react';
import { useNow } from '../../../data/clock.ts';
import { errorMessage } from '../../../data/server/api.ts';
import type { QueryResult } from '../../../data/server/query-cache.ts';
import { ListError } from '../../../ui/feedback/ListError.tsx';
import { RowsSkeleton } from '../../../ui/feedback/Skeleton.tsx';

interface DeskAnswerProps<T> {
  query: QueryResult<T>;
  /** What is said when it could not be loaded and the server gives no reason. */
  failure: string;
  children: (answer: T) => ReactNode;
}

/** The answer of a query; before it comes that it loads, and after a failure why it is missing or old. */
export function DeskAnswer<T>({ query, failure, children }: DeskAnswerProps<T>) {
  const { answer, error, receivedAt, isLoading, reload } = query;
  const now = useNow();
  return (
    <>
      {isLoading && <RowsSkeleton label={t`Loading`} title={30} facts={40} />}
      {error !== undefined && (
        <ListError
          text={errorMessage(error, failure)}
          offlineText={t`You are offline. The desk needs a connection.`}
          age={receivedAt && formatAge(receivedAt, now)}
          onRetry={reload}
        />
      )}
      {answer !== undefined && children(answer)}
    </>
  );
}
