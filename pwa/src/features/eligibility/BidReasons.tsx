import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { formatDate, formatRupees } from '@nivida/contract/format';
import { type BidQuestion, type ReasonQuestions, unansweredQuestion } from '@nivida/contract/rules/bid-questions';
import type { BidReason, BidVerdict, EnlistmentTrade } from '@nivida/contract/rules/may-i-bid';
import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import type { Tone } from '../../ui/display/Badge.tsx';
import { AnswerForm, type AnswerFormProps } from './AnswerForm.tsx';
import css from './Eligibility.module.css';
import { tradeLabels } from './ProfileForms.tsx';

export const VERDICTS: Record<BidVerdict, { tone: Tone; label: MessageDescriptor; sign: string }> = {
  yes: { tone: 'green', label: msg`Yes, by what you entered`, sign: '✓' },
  no: { tone: 'red', label: msg`No, by what you entered`, sign: '✗' },
  ask: { tone: 'amber', label: msg({ message: 'Ask', context: 'answer to May I bid?' }), sign: '?' },
};

function answerText({ kind, answer }: BidQuestion): string {
  if (answer === null) return t`not entered`;
  if (kind === 'rupees') return formatRupees(answer);
  if (kind === 'trade') return tradeLabels()[answer as EnlistmentTrade];
  return formatDate(String(answer));
}

/**
 * What the user has opened at a reason: its questions one after the other, the list of its answers, or one
 * question.
 */
interface Opened {
  row: number;
  /**
   * The key of a question, 'ask' for the first question without an answer, or 'answers' for the list of all
   * answers.
   */
  what: string;
}

interface BidReasonsProps {
  reasons: readonly BidReason[];
  /** The questions of each reason. Empty until the user's figures are read. */
  questions: readonly ReasonQuestions[];
  now: Date;
  onSave: AnswerFormProps['onSave'];
}

/** The reasons for the verdict. The first missing figure is asked for at its reason, then the next one. */
export function BidReasons({ reasons, questions, now, onSave }: BidReasonsProps) {
  const [opened, setOpened] = useState<Opened | null>(null);
  const [skipped, setSkipped] = useState<ReadonlySet<number>>(new Set());
  /** The number of the reason that the user tapped last. */
  const [acted, setActed] = useState<number | null>(null);
  const [saved, setSaved] = useState<{ row: number; undo: () => void } | null>(null);
  const unanswered = questions.map(unansweredQuestion);
  const isAsked = (row: number) => reasons[row]?.verdict === 'ask' && unanswered[row] && !skipped.has(row);
  const firstAsked = reasons.findIndex((_, row) => isAsked(row));
  const isOpen = opened && (opened.what !== 'ask' || unanswered[opened.row]);
  const present = isOpen ? opened : { row: firstAsked, what: 'ask' };
  const open = (row: number, what: string | null) => {
    setOpened(what === null ? null : { row, what });
    setActed(row);
    setSaved(null);
  };
  return (
    <ul className={css.reasons}>
      {reasons.map((reason, row) => {
        const ofReason = questions[row];
        return (
          <li key={ofReason?.about ?? reason.text}>
            <ReasonLine reason={reason} />
            {ofReason && (
              <RowQuestions
                questions={ofReason}
                unanswered={unanswered[row]}
                opened={present.row === row ? present.what : null}
                isFormFocused={acted !== null}
                isActed={acted === row}
                now={now}
                onSave={onSave}
                onSaved={(what, undo) => {
                  open(row, what);
                  setSaved({ row, undo });
                }}
                undo={
                  saved?.row === row
                    ? () => {
                        saved.undo();
                        open(row, null);
                      }
                    : null
                }
                onOpen={(what) => open(row, what)}
                onSkip={() => {
                  setSkipped((before) => new Set(before).add(row));
                  open(row, null);
                }}
              />
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** One reason with its sign and its rule. */
export function ReasonLine({ reason: { verdict, text, source } }: { reason: BidReason }) {
  return (
    <div className={css.reason} data-tone={VERDICTS[verdict].tone}>
      <span aria-hidden="true">{VERDICTS[verdict].sign}</span>
      <p>
        {text}
        {source && <small>{t`Rule: ${source}`}</small>}
      </p>
    </div>
  );
}

interface RowQuestionsProps {
  questions: ReasonQuestions;
  unanswered: BidQuestion | undefined;
  /** `Opened.what` of this reason. Null while another reason is open. */
  opened: string | null;
  /** The user has tapped in the reasons, so a new field takes the focus. */
  isFormFocused: boolean;
  /** The last tap was at this reason: its buttons take the focus when they replace a field. */
  isActed: boolean;
  now: Date;
  onSave: AnswerFormProps['onSave'];
  /** Called when an answer is stored. `what` is opened next. */
  onSaved: (what: string, undo: () => void) => void;
  /** Restores the answer before the last one. Null when that answer was not given here. */
  undo: (() => void) | null;
  onOpen: (what: string | null) => void;
  onSkip: () => void;
}

function RowQuestions(props: RowQuestionsProps) {
  const { undo } = props;
  return (
    <>
      <div className={css.saved} role="status">
        {undo && (
          <>
            {t`Saved on this phone.`}
            <Button look="link" onClick={undo}>
              {t`Undo`}
            </Button>
          </>
        )}
      </div>
      <RowAnswers {...props} />
    </>
  );
}

function RowAnswers(props: RowQuestionsProps) {
  const { unanswered, opened, isFormFocused, isActed, now, onSave, onSaved, onOpen, onSkip } = props;
  const { questions, another } = props.questions;
  const asked =
    opened === 'ask' ? unanswered : [...questions, ...(another ? [another] : [])].find(({ key }) => key === opened);
  if (asked) {
    const isOfList = opened !== 'ask' && asked !== another;
    return (
      <AnswerForm
        key={asked.key}
        question={asked}
        now={now}
        isFocused={isFormFocused}
        onSave={onSave}
        onSaved={(undo) => onSaved(isOfList ? 'answers' : 'ask', undo)}
        onLeave={() => (opened === 'ask' ? onSkip() : onOpen('answers'))}
      />
    );
  }
  const hasAnswers = questions.some(({ answer }) => answer !== null);
  const isListed = opened === 'answers';
  const isAnswerOffered = unanswered !== undefined && !isListed;
  return (
    <>
      {(hasAnswers || unanswered) && (
        <div className={css.rowButtons}>
          {isAnswerOffered && (
            <Button
              look="link"
              aria-label={t`Answer: ${{ question: unanswered.text }}`}
              autoFocus={isActed}
              onClick={() => onOpen('ask')}
            >
              {t({ message: 'Answer', context: 'action' })}
            </Button>
          )}
          {hasAnswers && (
            <Button
              look="link"
              aria-expanded={isListed}
              autoFocus={isActed && !isAnswerOffered}
              onClick={() => onOpen(isListed ? null : 'answers')}
            >
              {t`My figures`}
            </Button>
          )}
        </div>
      )}
      {isListed && (
        <ul className={css.figures}>
          {questions.map((question) => (
            <li key={question.key}>
              <span>
                {question.label}: <b>{answerText(question)}</b>
              </span>
              <Button
                look="link"
                aria-label={t`Change: ${{ figure: question.label }}`}
                onClick={() => onOpen(question.key)}
              >
                {t`Change`}
              </Button>
            </li>
          ))}
          {another && (
            <li>
              <Button look="link" onClick={() => onOpen(another.key)}>
                {another.label}
              </Button>
            </li>
          )}
        </ul>
      )}
    </>
  );
}
