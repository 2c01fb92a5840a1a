import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { currentTime } from '../../../data/clock.ts';
import { Button } from '../../../ui/Button.tsx';
import { showToast } from '../../../ui/feedback/toast.ts';
import { saveFile } from '../../../ui/save-file.ts';
import { type Deposit, isGuarantee, isHeld, kindLabel, kindOf, leftPaise } from '../deposit.ts';
import { ReleaseDialog } from './ReleaseDialog.tsx';
import { RenewDialog } from './RenewDialog.tsx';

interface SecurityButtonsProps {
  deposit: Deposit;
  bid: { title: string; path: string };
}

/** What a user does with the security of a work: a part came back, the guarantee was renewed, its calendar. */
export function SecurityButtons({ deposit, bid }: SecurityButtonsProps) {
  const [opened, setOpened] = useState<'release' | 'renewal' | null>(null);
  const { validUntil } = deposit;
  const close = () => setOpened(null);
  const kind = kindLabel(deposit);
  if (!isHeld(deposit) || kindOf(deposit) === 'emd') return null;
  const guarantee = isGuarantee(deposit) && validUntil ? { ...deposit, validUntil } : null;
  return (
    <>
      {leftPaise(deposit) !== undefined && (
        <Button
          look="plain"
          aria-haspopup="dialog"
          aria-label={t`${kind}: a part came back`}
          onClick={() => setOpened('release')}
        >
          {t`A part came back`}
        </Button>
      )}
      {guarantee && (
        <>
          <Button
            look="plain"
            aria-haspopup="dialog"
            aria-label={t`${kind}: renewed`}
            onClick={() => setOpened('renewal')}
          >
            {t`Renewed`}
          </Button>
          <Button
            look="plain"
            aria-label={t`${kind}: add to calendar`}
            onClick={() => void saveCalendar(guarantee, bid)}
          >
            {t`Calendar`}
          </Button>
        </>
      )}
      {opened === 'release' && <ReleaseDialog deposit={deposit} onClose={close} />}
      {opened === 'renewal' && guarantee && <RenewDialog deposit={guarantee} onClose={close} />}
    </>
  );
}

/** Its code is loaded on tap: a tender's page shares a part of it. */
async function saveCalendar(
  guarantee: Deposit & { validUntil: string },
  { title, path }: SecurityButtonsProps['bid'],
): Promise<void> {
  const { guaranteeCalendar } = await import('./guarantee-calendar.ts');
  const text = guaranteeCalendar(guarantee, { title, link: `${location.origin}${path}` }, currentTime());
  saveFile(`nivida-guarantee-${guarantee.validUntil}.ics`, new Blob([text], { type: 'text/calendar' }));
  showToast({ text: t`Calendar file saved. Open it to add the alarms 90, 60 and 30 days before the guarantee ends.` });
}
