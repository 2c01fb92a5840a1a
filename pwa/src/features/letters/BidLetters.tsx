import { t } from '@lingui/core/macro';
import { formatDate, indianDay } from '@nivida/contract/format';
import { LANGUAGES, type Language, languages } from '@nivida/contract/languages';
import { dayText } from '@nivida/contract/time';
import { type ReactNode, useState } from 'react';
import { currentTime } from '../../data/clock.ts';
import type { DepositRecord } from '../../data/records/deposits.ts';
import { Button } from '../../ui/Button.tsx';
import entries from '../../ui/display/entries.module.css';
import { AddressForm } from './AddressForm.tsx';
import { answerDueOn, type BidLetterFacts, bidLetter, LETTERS_OF_END } from './bid-letters.ts';
import { LetterDialog } from './LetterDialog.tsx';
import { changeLetter, removeLetter } from './letter-actions.ts';
import { type LetterKind, letterKindLabels, letterName, type StoredLetter } from './letter-kinds.ts';
import { type ReturnLetterFacts, returnLetter } from './return-letter.ts';

/** Money that the office holds, with its name. */
interface HeldMoney {
  deposit: DepositRecord;
  label: string;
  heldPaise: number | undefined;
}

interface BidLettersProps {
  bidId: string;
  /** Null before the bid is submitted. */
  facts: BidLetterFacts | null;
  /** Money that the office holds after the bid did not lead to a work. */
  held: readonly HeldMoney[];
  /** The kept letters of the bid. */
  letters: readonly StoredLetter[];
  /** The name of one of the bid's deposits. */
  depositName: (id: string) => string | undefined;
  now: Date;
  renderCopy: (label: string, makeText: () => string) => ReactNode;
}

interface Opened {
  kind: LetterKind;
  money?: HeldMoney | undefined;
  letter?: StoredLetter;
}

function returnFacts(facts: BidLetterFacts, { deposit, heldPaise }: HeldMoney): ReturnLetterFacts {
  const isLost = facts.end === 'lost' || facts.end === 'rejected';
  return { ...facts, deposit, heldPaise, isLost };
}

/** The letters for the end of a bid, and those that the user keeps with it. */
export function BidLetters({ bidId, facts, held, letters, depositName, now, renderCopy }: BidLettersProps) {
  const [opened, setOpened] = useState<Opened | null>(null);
  const labels = letterKindLabels();
  const kinds = facts ? LETTERS_OF_END[facts.end] : [];
  const makeText =
    ({ kind, money }: Opened) =>
    (language: Language) => {
      if (!facts) return '';
      if (kind !== 'return') return bidLetter(kind, facts, language, now);
      // What the phone knows of the money may have changed since the dialog was opened.
      const known = held.find(({ deposit }) => deposit.id === money?.deposit.id) ?? money;
      return known ? returnLetter(returnFacts(facts, known), language, now) : '';
    };
  return (
    <div className="stack">
      {facts ? (
        <p className="s muted">{t`Letters with the facts of this bid. Lines stand for what the phone does not know.`}</p>
      ) : (
        <p className="muted">{t`Letters appear here after you submitted the bid.`}</p>
      )}
      {kinds.length + held.length > 0 && (
        <div className="row">
          {kinds.map((kind) => (
            <Button key={kind} aria-haspopup="dialog" onClick={() => setOpened({ kind })}>
              {labels[kind]}
            </Button>
          ))}
          {facts &&
            held.map((money) => (
              <Button
                key={money.deposit.id}
                aria-haspopup="dialog"
                onClick={() => setOpened({ kind: 'return', money })}
              >
                {t`Ask for the ${{ kind: money.label }} back`}
              </Button>
            ))}
        </div>
      )}
      {letters.length > 0 && (
        <section>
          <h2>{t`Kept letters`}</h2>
          <ul>
            {letters.map((letter) => (
              <LetterRow
                key={letter.id}
                letter={letter}
                label={letterName(letter, depositName)}
                onOpen={() => setOpened({ kind: letter.kind ?? 'clarification', letter })}
              />
            ))}
          </ul>
        </section>
      )}
      {facts && <AddressForm address={facts.address} />}
      {opened && (
        <LetterDialog
          key={opened.letter?.id ?? opened.kind}
          bidId={bidId}
          kind={opened.kind}
          {...(opened.money && { depositId: opened.money.deposit.id })}
          {...(opened.letter && { letter: opened.letter })}
          makeText={makeText(opened)}
          renderCopy={renderCopy}
          onClose={() => setOpened(null)}
        />
      )}
    </div>
  );
}

/** One kept letter, with its days. */
function LetterRow({ letter, label, onOpen }: { letter: StoredLetter; label: string; onOpen: () => void }) {
  const { id, kind = 'clarification', sentOn, answeredOn, createdAt } = letter;
  const language = languages().find((each) => each === letter.language);
  const days = [
    language && LANGUAGES[language].name,
    createdAt && t`written ${{ day: formatDate(createdAt) }}`,
    sentOn && t`sent ${{ day: formatDate(sentOn) }}`,
    letter.answerDueOn && !answeredOn && t`answer due ${{ day: formatDate(letter.answerDueOn) }}`,
    answeredOn && t`answered ${{ day: formatDate(answeredOn) }}`,
  ].filter(Boolean);
  return (
    <li className={entries.entry}>
      <p>
        <b>{label}</b>
      </p>
      <p className="xs muted">{days.join(' · ')}</p>
      <div className={entries.buttons}>
        <Button look="plain" aria-haspopup="dialog" aria-label={t`Open: ${label}`} onClick={onOpen}>
          {t({ message: 'Open', context: 'action' })}
        </Button>
        {!sentOn && <SentButton letter={letter} kind={kind} />}
        {sentOn && !answeredOn && <AnsweredButton letter={letter} />}
        <Button look="plain" aria-label={t`Remove: ${label}`} onClick={() => void removeLetter(id)}>
          {t`Remove`}
        </Button>
      </div>
    </li>
  );
}

const today = (): string => dayText(indianDay(currentTime()));

function SentButton({ letter, kind }: { letter: StoredLetter; kind: LetterKind }) {
  const send = () => {
    const sentOn = today();
    const due = answerDueOn(kind, sentOn);
    const note = due ? t`Sent. The answer is due by ${{ day: formatDate(due) }}.` : t`Marked as sent today.`;
    const undo = { sentOn: null, answerDueOn: letter.answerDueOn ?? null };
    void changeLetter(letter.id, { sentOn, ...(due && { answerDueOn: due }) }, undo, note);
  };
  return (
    <Button look="plain" onClick={send}>
      {t`I sent it`}
    </Button>
  );
}

/** Marks the answer of a letter as received today, with "Undo". */
export function AnsweredButton({ letter }: { letter: StoredLetter }) {
  return (
    <Button
      look="plain"
      onClick={() =>
        void changeLetter(letter.id, { answeredOn: today() }, { answeredOn: null }, t`Marked as answered today.`)
      }
    >
      {t`The answer came`}
    </Button>
  );
}
