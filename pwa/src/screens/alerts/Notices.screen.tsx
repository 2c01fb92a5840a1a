import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { formatCount } from '@nivida/contract/format';
import { PAGES, pageText } from '@nivida/contract/site/pages';
import { useState } from 'react';
import { useNow } from '../../data/clock.ts';
import { storageProblem } from '../../data/device/database.ts';
import { useMutation } from '../../data/useMutation.ts';
import { useAlerts } from '../../features/alerts/alert-state.ts';
import { alertStateLabel } from '../../features/alerts/labels.ts';
import { loadMoreNotices, markNoticesRead } from '../../features/alerts/notices/mark-read.ts';
import { NoticeList } from '../../features/alerts/notices/NoticeList.tsx';
import { useNotices } from '../../features/alerts/notices/useNotices.ts';
import { UnfollowButton, useFollowedOffices } from '../../features/awards/follow/FollowOffice.tsx';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { useOnline } from '../../ui/browser-state.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { Note } from '../../ui/feedback/Note.tsx';
import { Spinner } from '../../ui/feedback/Spinner.tsx';
import { PageMeta } from '../../ui/PageMeta.tsx';
import { AnswerNotices, BidReminders, DepositNotes, ExpiryNotices, LetterNotes } from '../lazy-alerts.tsx';
import { DeviceAlerts, useSearchNames } from './DeviceAlerts.tsx';
import css from './Notices.module.css';

/**
 * `/notices`: the notices of this device or its user, including undelivered ones. The device's are shown
 * first.
 */
export function Notices() {
  const now = useNow();
  const { notices, hasOlder, error } = useNotices();
  const older = useMutation(t`The older notices were not loaded`);
  const isOnline = useOnline();
  const { state, unread } = useAlerts();
  const searchNames = useSearchNames();
  const followed = useFollowedOffices();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div className="page">
      <PageMeta {...pageText(PAGES['/notices'])} />
      <div className="column stack">
        <div>
          <h1>{t`Notices`}</h1>
          <p className="s muted">{alertStateLabel(state)}</p>
        </div>
        <div className="row">
          <Button aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
            {t`Alert settings`}
          </Button>
        </div>
        <AnswerNotices />
        <BidReminders now={now} />
        <DepositNotes now={now} />
        <LetterNotes now={now} />
        <ExpiryNotices now={now} isLinked />
        {!notices && error === undefined && <Spinner label={t`Loading notices`} isScreen />}
        {error !== undefined && (
          <Note tone="red" icon="warning" alert>
            {t`${storageProblem()}, so notices cannot be shown.`}
          </Note>
        )}
        {notices?.length === 0 && (
          <EmptyState
            title={t`No notices yet.`}
            actions={
              <ButtonLink look="main" to="/tenders">
                {t`Find tenders`}
              </ButtonLink>
            }
          >
            <Trans>
              Bookmark a tender: you will see reminders and changes here, and new matches of your saved searches.
            </Trans>
          </EmptyState>
        )}
        {unread > 0 && (
          <div className={css.unread}>
            <h2 className="s">{t`${formatCount(unread)} unread`}</h2>
            <Button look="plain" onClick={() => void markNoticesRead()}>
              {t`Mark all read`}
            </Button>
          </div>
        )}
        {notices && notices.length > 0 && (
          <NoticeList
            notices={notices}
            searchNames={searchNames}
            now={now}
            renderUnfollow={(office) => <UnfollowButton officeId={office.id} followed={followed} />}
          />
        )}
        {older.problem && (
          <Note tone="red" icon="warning" alert>
            {older.problem}
          </Note>
        )}
        {hasOlder && (
          <div className="row">
            <Button busy={older.isBusy} disabled={!isOnline} onClick={() => void older.run(loadMoreNotices)}>
              {t`Show older notices`}
            </Button>
            {!isOnline && <span className="s muted">{t`Older notices need a connection.`}</span>}
          </div>
        )}
      </div>
      {isOpen && (
        <Dialog title={t`Alerts`} onClose={() => setIsOpen(false)}>
          <DeviceAlerts />
        </Dialog>
      )}
    </div>
  );
}
