import { plural, t } from '@lingui/core/macro';
import { withDatabase } from '../../data/device/database.ts';
import type { LostFirm } from '../../data/firms/firm-list.ts';
import { Button } from '../../ui/Button.tsx';
import { Note } from '../../ui/feedback/Note.tsx';
import { useLostFirms } from './useFirms.ts';

/** What was deleted from this device, and what of it the server never had. */
export function lostFirmText({ name, unsent }: Pick<LostFirm, 'name' | 'unsent'>): string {
  const gone =
    name === ''
      ? t`You are not a member of a firm any more. Its bids and documents were removed from this device.`
      : t`You are not a member of ${name} any more. Its bids and documents were removed from this device.`;
  if (unsent === 0) return gone;
  const lost = plural(unsent, {
    one: '# record with changes that were not sent is lost.',
    other: '# records with changes that were not sent are lost.',
  });
  return `${gone} ${lost}`;
}

/** Says which firms were lost, until the user has seen it. */
export function LostFirmNotes({ userId }: { userId: string }) {
  return useLostFirms().map((lost) => (
    <Note key={lost.id} tone="red" icon="warning">
      <p>{lostFirmText(lost)}</p>
      <Button
        onClick={() =>
          void import('../../data/firms/firm-rows.ts').then(({ closeLostFirm }) =>
            withDatabase((db) => closeLostFirm(db, userId, lost.id)),
          )
        }
      >
        {t`Understood`}
      </Button>
    </Note>
  ));
}
