import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { searchFeedPath } from '@nivida/contract/data-out/feed-addresses';
import { formatDateTime } from '@nivida/contract/format';
import { currentLanguage } from '@nivida/contract/i18n';
import { useEffect, useState } from 'react';
import { errorMessage } from '../../data/server/api.ts';
import { useQuery } from '../../data/server/query-cache.ts';
import { useMutation } from '../../data/useMutation.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { ErrorText, Note } from '../../ui/feedback/Note.tsx';
import { Spinner } from '../../ui/feedback/Spinner.tsx';
import { FeedAddresses } from './FeedAddress.tsx';
import { endSearchFeed, makeSearchFeed, searchFeedCache } from './search-feeds.ts';

interface SearchFeedDialogProps {
  userId: string;
  search: { id: string; name: string };
  onClose: () => void;
}

/** The private addresses of a saved search. They are shown once, when they are made. */
export function SearchFeedDialog({ userId, search: { id, name }, onClose }: SearchFeedDialogProps) {
  const { answer, error, isLoading } = useQuery(searchFeedCache, userId);
  useEffect(() => void searchFeedCache.refresh(userId), [userId]);
  const [token, setToken] = useState<string>();
  const change = useMutation(t`Failed to change the address`);
  const feed = answer?.feeds.find(({ searchId }) => searchId === id);

  const make = () => void change.run(async () => setToken(await makeSearchFeed(userId, id)));
  const end = () =>
    void change.run(async () => {
      await endSearchFeed(userId, id);
      setToken(undefined);
    });
  return (
    <Dialog title={t`Feed, CSV and calendar`} onClose={onClose}>
      <p>
        <b>{name}</b>
      </p>
      {token === undefined ? (
        <p className="s muted">
          <Trans>
            A feed reader or a calendar has no password of yours. It reads this search at a private address. Anyone with
            the address can read the list, and nothing else of your account.
          </Trans>
        </p>
      ) : (
        <>
          <Note tone="amber">{t`Copy the address now: it is not shown again. Do not publish it.`}</Note>
          <FeedAddresses pathOf={(format) => searchFeedPath(format, token, currentLanguage())} />
        </>
      )}
      {isLoading && <Spinner label={t`Loading`} />}
      {feed && token === undefined && (
        <p className="s">
          {t`The address was made on ${{ at: formatDateTime(feed.createdAt) }}.`}{' '}
          {feed.readAt ? t`Last read: ${{ at: formatDateTime(feed.readAt) }}.` : t`It was not read yet.`}
        </p>
      )}
      {error !== undefined && <ErrorText text={errorMessage(error, t`Failed to load the addresses`)} />}
      <ErrorText text={change.problem} />
      <DialogActions>
        {feed && (
          <Button busy={change.isBusy} onClick={end}>
            {t`End the address`}
          </Button>
        )}
        <Button {...(token === undefined && { look: 'main' as const })} busy={change.isBusy} onClick={make}>
          {feed || token !== undefined ? t`Make a new address` : t`Make the address`}
        </Button>
      </DialogActions>
      {feed && <p className="xs muted">{t`A new address ends the old one at once.`}</p>}
    </Dialog>
  );
}
