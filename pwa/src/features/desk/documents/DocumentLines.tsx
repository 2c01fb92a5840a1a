import { t } from '@lingui/core/macro';
import { type DeskLine, DeskLines, type LineState } from '@nivida/contract/desk/document-lines';
import type { FactValue } from '@nivida/contract/documents/document-facts';
import { useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import type { Tone } from '../../../ui/display/Badge.tsx';
import { Status } from '../../../ui/display/Status.tsx';
import { ChoiceField, Field, Input } from '../../../ui/form/Field.tsx';
import { langOf } from '../../../ui/words/lang-of.ts';
import { ActButton } from '../act/ActButton.tsx';
import { ActDialog } from '../act/ActDialog.tsx';
import { DeskAnswer } from '../list/DeskAnswer.tsx';
import { type LineTexts, linePath, typedValue, undoDecision, useDeskLines } from './document-lines.ts';
import css from './documents.module.css';

/** What the official files of a tender say: each line with its page, and what an operator can decide on it. */
export function DocumentLines({ id, texts }: { id: string; texts: LineTexts }) {
  return (
    <DeskAnswer query={useDeskLines(id)} failure={t`The lines could not be loaded`}>
      {({ id: tenderId, files, lines }) =>
        files.length > 0 && (
          <section aria-label={t`What the documents say`}>
            <h3>{t`What the documents say`}</h3>
            <ul className={css.files}>
              {files.map((file) => (
                <li key={file.id}>
                  <p className={css.name}>{file.name}</p>
                  {texts.fileTexts(file).map((text) => (
                    <p key={text} className="s muted">
                      {text}
                    </p>
                  ))}
                  <ul className="rows">
                    {lines
                      .filter(({ fileId }) => fileId === file.id)
                      .map((line) => (
                        <LineRow key={line.id} tenderId={tenderId} line={line} texts={texts} />
                      ))}
                  </ul>
                </li>
              ))}
            </ul>
          </section>
        )
      }
    </DeskAnswer>
  );
}

const STATE_TONES: Readonly<Record<LineState, Tone>> = {
  found: 'gray',
  confirmed: 'green',
  corrected: 'green',
  hidden: 'amber',
};

function stateLabel(state: LineState): string {
  if (state === 'found') return t`Found, not checked`;
  if (state === 'confirmed') return t`Confirmed`;
  return state === 'corrected' ? t`Corrected` : t`Hidden from users`;
}

function LineRow({ tenderId, line, texts }: { tenderId: number; line: DeskLine; texts: LineTexts }) {
  const { topic, page, quote, state, value, foundValue, decidedAt } = line;
  const [isCorrecting, setIsCorrecting] = useState(false);
  const act = {
    schema: DeskLines,
    body: { decidedAt },
    undo: (answer: DeskLines) => undoDecision(line, answer),
    usualReasons: [t`Compared with the document`],
  };
  const path = linePath(tenderId, line);
  const textOf = (each: FactValue | null) => (each ? texts.valueText(each) : t`no value`);
  return (
    <li>
      <p>
        <b>{texts.topics[topic]}</b> <span className={`s muted ${css.page}`}>{t`page ${page}`}</span>{' '}
        <Status tone={STATE_TONES[state]} label={stateLabel(state)} />
      </p>
      <blockquote lang={langOf(quote)} className={css.quote}>
        {quote}
      </blockquote>
      <p className="s">
        {t`Value: ${{ value: textOf(value) }}`}
        {state === 'corrected' && ` · ${t`the reader found: ${{ value: textOf(foundValue) }}`}`}
      </p>
      <div className="row">
        {state !== 'confirmed' && (
          <ActButton
            {...act}
            label={t`Confirm`}
            title={t`Does the document say this?`}
            path={`${path}/confirm`}
            done={() => t`Confirmed`}
          >
            <p className="s">{t`Users see that we have checked this line.`}</p>
          </ActButton>
        )}
        <Button onClick={() => setIsCorrecting(true)}>{t`Correct`}</Button>
        {state !== 'hidden' && (
          <ActButton
            {...act}
            label={t`Hide`}
            title={t`Hide this line?`}
            path={`${path}/hide`}
            done={() => t`Hidden`}
            usualReasons={[t`Not about this tender`, t`A standard clause`]}
          >
            <p className="s">{t`Users do not see it any more.`}</p>
          </ActButton>
        )}
        {state !== 'found' && (
          <ActButton
            {...act}
            label={t`Take back`}
            title={t`Take the decision on this line back?`}
            path={`${path}/restore`}
            done={() => t`Taken back`}
          >
            <p className="s">{t`Users see again what the reader found.`}</p>
          </ActButton>
        )}
      </div>
      {isCorrecting && (
        <CorrectLine line={line} path={`${path}/correct`} textOf={textOf} onClose={() => setIsCorrecting(false)} />
      )}
    </li>
  );
}

type Unit = FactValue['unit'] | 'none';

interface CorrectLineProps {
  line: DeskLine;
  path: string;
  textOf: (value: FactValue | null) => string;
  onClose: () => void;
}

/** Asks for the value that stands in the line. */
function CorrectLine({ line, path, textOf, onClose }: CorrectLineProps) {
  const { quote, value, decidedAt } = line;
  const [unit, setUnit] = useState<Unit>(value?.unit ?? 'rupees');
  const [typed, setTyped] = useState(value ? String(value.amount).replace(/\.00$/, '') : '');
  // A text that is no amount is sent as it is, and the server refuses it.
  const corrected = unit === 'none' ? null : (typedValue(unit, typed) ?? { unit, amount: typed });
  return (
    <ActDialog
      label={t`Correct`}
      title={t`Correct the value of this line`}
      path={path}
      body={{ decidedAt, value: corrected }}
      schema={DeskLines}
      done={() => t`Corrected`}
      undo={(answer) => undoDecision(line, answer)}
      usualReasons={[t`Compared with the document`]}
      onClose={onClose}
    >
      <blockquote lang={langOf(quote)} className={css.quote}>
        {quote}
      </blockquote>
      <ChoiceField
        label={t`Kind of value`}
        name="unit"
        value={unit}
        options={[
          ['rupees', t`Rupees`],
          ['days', t`Days`],
          ['months', t`Months`],
          ['none', t`No value`],
        ]}
        onChange={({ target }) => setUnit(target.value as Unit)}
      />
      {unit !== 'none' && (
        <Field label={t`Right value`} hint={unit === 'rupees' ? t`for example 25,000` : undefined}>
          {(control) => (
            <Input
              {...control}
              inputMode="decimal"
              maxLength={20}
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
            />
          )}
        </Field>
      )}
      <p className="s muted">{t`Now: ${{ value: textOf(value) }}`}</p>
    </ActDialog>
  );
}
