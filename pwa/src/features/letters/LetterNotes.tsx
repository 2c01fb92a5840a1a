import { Trans } from '@lingui/react/macro';
import { formatDate } from '@nivida/contract/format';
import { Link } from 'react-router-dom';
import { useRecords } from '../../data/records/useRecords.ts';
import { Note } from '../../ui/feedback/Note.tsx';
import { AnsweredButton } from './BidLetters.tsx';
import { isAnswerOverdue } from './bid-letters.ts';
import { letterKindLabels, type StoredLetter } from './letter-kinds.ts';

/** Letters whose answer is overdue. The device computes them. Renders nothing without any. */
export function LetterNotes({ now }: { now: Date }) {
  const rows = useRecords('letter') ?? [];
  const overdue = rows
    .map(({ id, fields }): StoredLetter => ({ ...fields, id }))
    .filter((letter) => isAnswerOverdue(letter, now));
  return overdue.map((letter) => {
    const { id, kind = 'clarification', bidId = '' } = letter;
    const name = letterKindLabels()[kind];
    const day = formatDate(letter.answerDueOn);
    const path = `/dashboard/applications/${bidId}#letters`;
    return (
      <Note key={id} tone="amber" icon="bell">
        <p>
          {kind === 'rti' ? (
            <Trans>
              The answer to your <Link to={path}>{name}</Link> was due by {day}. A first appeal is possible within 30
              days of that day (RTI Act 2005, section 19(1)).
            </Trans>
          ) : (
            <Trans>
              The answer to your letter <Link to={path}>{name}</Link> was due by {day}.
            </Trans>
          )}
        </p>
        <AnsweredButton letter={letter} />
      </Note>
    );
  });
}
