import { t } from '@lingui/core/macro';
import { PAGES, pageText } from '@nivida/contract/site/pages';
import { useMemo } from 'react';
import { storageProblem, useDatabaseState } from '../../data/device/database.ts';
import { useRecords } from '../../data/records/useRecords.ts';
import { RateBookList } from '../../features/boq/RateBookList.tsx';
import { toRateBook } from '../../features/boq/rate-records.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { Note } from '../../ui/feedback/Note.tsx';
import { Spinner } from '../../ui/feedback/Spinner.tsx';
import { PageMeta } from '../../ui/PageMeta.tsx';
import { DeviceOnlyNote } from './DeviceOnlyNote.tsx';
import { OptionalSpaceSwitch } from './OptionalSpaceSwitch.tsx';

/** `/dashboard/rates`: the user's past rates for items of BOQs. Works offline and signed out. */
export function RateBook() {
  const rows = useRecords('rate');
  const isUnavailable = useDatabaseState(({ state }) => state === 'unavailable');
  const book = useMemo(() => rows && toRateBook(rows), [rows]);
  return (
    <div className="page">
      <PageMeta {...pageText(PAGES['/dashboard/rates'])} />
      <div className="stack">
        <h1>{t`Rate book`}</h1>
        <OptionalSpaceSwitch onlyChoice />
        <DeviceOnlyNote />
        {isUnavailable && (
          <Note tone="amber" icon="warning">
            {t`${{ problem: storageProblem() }}, so bids cannot be read.`}
          </Note>
        )}
        {!book && !isUnavailable && <Spinner label={t`Loading your rates`} isScreen />}
        {book?.length === 0 && (
          <EmptyState
            title={t`No rates yet`}
            actions={<ButtonLink to="/dashboard/applications">{t`My Applications`}</ButtonLink>}
          >
            {t`Rates that you enter in the BOQ of a tender are listed here.`}
          </EmptyState>
        )}
        {book && book.length > 0 && <RateBookList book={book} />}
      </div>
    </div>
  );
}
