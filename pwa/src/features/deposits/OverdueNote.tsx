import { t } from '@lingui/core/macro';
import { formatFullRupees } from '@nivida/contract/format';
import { Link } from 'react-router-dom';
import { useRecords } from '../../data/records/useRecords.ts';
import { Note } from '../../ui/feedback/Note.tsx';
import { placeOf } from './deposit.ts';

/** A link to overdue money. The device computes it. Renders nothing without any. */
export function OverdueNote({ now }: { now: Date }) {
  const rows = useRecords('deposit') ?? [];
  const deposits = rows.map(({ id, fields }) => ({ ...fields, id }));
  const overdue = deposits.filter((deposit) => placeOf(deposit, now) === 'overdue');
  if (overdue.length === 0) return null;
  const paise = overdue.reduce((sum, { amountPaise }) => sum + (amountPaise ?? 0), 0);
  return (
    <Note tone="red" icon="rupee">
      {paise > 0 ? t`${{ amount: formatFullRupees(paise / 100) }} is overdue.` : t`A deposit is overdue.`}{' '}
      <Link to="/dashboard/analytics">{t`Ask for it with a ready letter`}</Link>
    </Note>
  );
}
