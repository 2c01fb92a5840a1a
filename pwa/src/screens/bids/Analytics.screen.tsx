import { t } from '@lingui/core/macro';
import { PAGES, pageText } from '@nivida/contract/site/pages';
import { useNow } from '../../data/clock.ts';
import { storageProblem } from '../../data/device/database.ts';
import { bidPath } from '../../features/bids/BidCard.tsx';
import { BidFigures } from '../../features/bids/BidFigures.tsx';
import { type DeskBid, deskBids, useDesk } from '../../features/bids/desk.ts';
import type { DeskRows } from '../../features/bids/read-desk.ts';
import { leftPaise } from '../../features/deposits/deposit.ts';
import { type BidLedgerEntry, LedgerPanel } from '../../features/deposits/LedgerPanel.tsx';
import { LetterDialog } from '../../features/letters/LetterDialog.tsx';
import { returnLetter } from '../../features/letters/return-letter.ts';
import { CopyListButton } from '../../features/share/CopyListButton.tsx';
import { ButtonLink } from '../../ui/Button.tsx';
import { Note } from '../../ui/feedback/Note.tsx';
import { Spinner } from '../../ui/feedback/Spinner.tsx';
import { DashboardPage } from '../dashboard/DashboardPage.tsx';
import { DeviceOnlyNote } from './DeviceOnlyNote.tsx';
import { OptionalSpaceSwitch } from './OptionalSpaceSwitch.tsx';

/** Each deposit with its bid. A deposit whose bid was removed stays in the ledger. */
function ledgerEntries({ deposits }: DeskRows, bids: readonly DeskBid[]): BidLedgerEntry[] {
  return deposits.map((deposit) => {
    const listed = bids.find(({ bid }) => bid.id === deposit.bidId);
    if (!listed)
      return {
        deposit,
        title: t`A bid that was removed`,
        office: '',
        path: null,
        sourceTenderId: null,
        isLost: false,
        submittedAt: undefined,
      };
    const { bid, facts } = listed;
    const { title, office, sourceTenderId } = facts;
    const isLost = bid.stage === 'lost';
    return { deposit, title, office, sourceTenderId, isLost, path: bidPath(bid.id), submittedAt: bid.submittedAt };
  });
}

/**
 * `/dashboard/analytics`: the money that offices hold, then figures of the user's bids. Works offline and
 * signed out.
 */
export function Analytics() {
  const now = useNow();
  const { rows, error } = useDesk();
  const bids = rows && deskBids(rows, null, now);
  return (
    <DashboardPage {...pageText(PAGES['/dashboard/analytics'])}>
      <OptionalSpaceSwitch onlyChoice />
      <DeviceOnlyNote />
      {error !== undefined && (
        <Note tone="amber" icon="warning">
          {t`${{ problem: storageProblem() }}, so bids cannot be saved.`}
        </Note>
      )}
      {!bids && error === undefined && <Spinner label={t`Loading your bids`} isScreen />}
      {rows && bids && (
        <>
          <LedgerPanel
            entries={ledgerEntries(rows, bids)}
            now={now}
            renderLetter={({ deposit, path, ...facts }, onClose) => (
              <LetterDialog
                kind="return"
                bidId={path === null ? null : (deposit.bidId ?? null)}
                depositId={deposit.id}
                makeText={(language) =>
                  returnLetter(
                    {
                      ...facts,
                      ...{ deposit, heldPaise: leftPaise(deposit) },
                      ...{ firm: rows.firmNames[0] ?? '', address: rows.firmAddress },
                    },
                    language,
                    now,
                  )
                }
                renderCopy={(label, makeText) => <CopyListButton label={label} makeText={makeText} />}
                onClose={onClose}
              />
            )}
          />
          <BidFigures bids={bids} now={now} />
          <div className="row">
            <ButtonLink to="/dashboard/applications">{t`My Applications`}</ButtonLink>
          </div>
        </>
      )}
    </DashboardPage>
  );
}
