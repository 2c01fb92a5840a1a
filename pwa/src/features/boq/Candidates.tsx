import { t } from '@lingui/core/macro';
import type { BoqItem } from '@nivida/contract/documents/boq';
import { RateCandidates } from '@nivida/contract/documents/rate-candidates';
import { formatDate } from '@nivida/contract/format';
import { ownCandidates, ratesByUnit, type ShownCandidate, shownCandidates } from '@nivida/contract/rates/rate-book';
import { useMemo, useState } from 'react';
import { useRecords } from '../../data/records/useRecords.ts';
import { apiOf } from '../../data/server/api.ts';
import { createQueryCache, useQuery } from '../../data/server/query-cache.ts';
import { useOwner } from '../../data/session.ts';
import { Button } from '../../ui/Button.tsx';
import { Spinner } from '../../ui/feedback/Spinner.tsx';
import css from './Boq.module.css';
import { groupedDecimal } from './BoqItemRow.tsx';
import { toRateBook } from './rate-records.ts';

/** Candidates from the operator's schedules of rates, by the tender's and the owner's id. */
const scheduleRates = createQueryCache((key) => {
  const [tenderId = '', owner = ''] = key.split(' ');
  return apiOf(owner).get(`api/tenders/${tenderId}/rate-candidates`).json(RateCandidates);
});

interface CandidatesProps {
  item: BoqItem;
  fileId: string;
  /** SHA-256 of the file, whose own rates are no candidates. */
  file: string;
  tenderId: string;
  onUse: (rate: string) => void;
}

function Candidate({ candidate, onUse }: { candidate: ShownCandidate; onUse: (rate: string) => void }) {
  const { rate, unit, text, source, on } = candidate;
  const price = t`₹${{ rate: groupedDecimal(rate) }} per ${unit}`;
  return (
    <li>
      <p>
        <strong>{price}</strong> {text}
      </p>
      <p className="xs muted">{[source, on && formatDate(on)].filter(Boolean).join(' · ')}</p>
      <Button aria-label={t`Use ${price}`} onClick={() => onUse(rate)}>{t`Use`}</Button>
    </li>
  );
}

function CandidateList({ item, fileId, file, tenderId, onUse }: CandidatesProps) {
  const { answer: schedules = null, isLoading } = useQuery(scheduleRates, `${tenderId} ${useOwner()}`);
  const rows = useRecords('rate');
  const byUnit = useMemo(
    () => rows && ratesByUnit(toRateBook(rows).filter((past) => past.file !== file)),
    [rows, file],
  );
  if (!byUnit) return <Spinner label={t`Loading your past rates`} />;
  const shown = shownCandidates(ownCandidates(item, byUnit), schedules, { fileId, row: item.row });
  if (shown.length === 0 && isLoading) return <Spinner label={t`Loading your past rates`} />;
  if (shown.length === 0)
    return <p className="s muted">{t`No past rate of yours has this unit and a similar text.`}</p>;
  return (
    <ul className={css.candidates}>
      {shown.map((candidate) => (
        <Candidate
          key={`${candidate.from} ${candidate.rate} ${candidate.source} ${candidate.text}`}
          candidate={candidate}
          onUse={onUse}
        />
      ))}
    </ul>
  );
}

/** Rates that fit an item, shown when the user taps. They are never filled in by themselves. */
export function Candidates(props: CandidatesProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div className={css.below}>
      <Button look="link" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>{t`Past rates`}</Button>
      {isOpen && <CandidateList {...props} />}
    </div>
  );
}
