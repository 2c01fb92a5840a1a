import { t } from '@lingui/core/macro';
import { currentLanguage } from '@nivida/contract/i18n';
import { LANGUAGES, type Language, languages } from '@nivida/contract/languages';
import { MAX_LETTER_TEXT } from '@nivida/contract/limits';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import * as v from 'valibot';
import { currentTime } from '../../data/clock.ts';
import { newRecordId } from '../../data/records/records.ts';
import { loadLanguage } from '../../data/texts/language.ts';
import { typedDay } from '../../data/typed-values.ts';
import { Button } from '../../ui/Button.tsx';
import entries from '../../ui/display/entries.module.css';
import { Icon } from '../../ui/display/Icon.tsx';
import { showToast } from '../../ui/feedback/toast.ts';
import { ChoiceField } from '../../ui/form/Field.tsx';
import { FormDialog } from '../../ui/form/FormDialog.tsx';
import { TextAreaField, TextField } from '../../ui/form/FormFields.tsx';
import { useForm, validateForm } from '../../ui/form/useForm.ts';
import { saveFile } from '../../ui/save-file.ts';
import { answerDueOn } from './bid-letters.ts';
import { completedText } from './completed-text.ts';
import css from './Letter.module.css';
import { letterFailureText, saveLetter } from './letter-actions.ts';
import { type LetterKind, letterKindLabels, type StoredLetter } from './letter-kinds.ts';

const letterForm = () =>
  v.object({
    text: v.pipe(
      v.string(),
      v.maxLength(MAX_LETTER_TEXT, ({ requirement: max }) => t`At most ${max} letters`),
    ),
    sentOn: typedDay,
    answerDueOn: typedDay,
    answeredOn: typedDay,
  });

interface LetterDialogProps {
  kind: LetterKind;
  /** Null for a deposit whose bid was removed: its letter is not kept. */
  bidId: string | null;
  /** The money that the letter asks for. */
  depositId?: string;
  /** Writes the letter from what the phone knows. */
  makeText: (language: Language) => string;
  /** The kept letter to open. It stays in its language. */
  letter?: StoredLetter;
  /** Renders the button that copies or shares a text. */
  renderCopy: (label: string, makeText: () => string) => ReactNode;
  onClose: () => void;
}

/** A letter to edit, keep, share, print or download. The app itself sends nothing. */
export function LetterDialog(props: LetterDialogProps) {
  const { kind, bidId, depositId, makeText, letter, renderCopy, onClose } = props;
  const storedLanguage = languages().find((each) => each === letter?.language);
  const [language, setLanguage] = useState<Language>(storedLanguage ?? currentLanguage());
  // A second tap on a slow device saves the same letter.
  const [id] = useState(() => letter?.id ?? newRecordId());
  const made = letter ? '' : makeText(language);
  const form = useForm({
    text: letter ? (letter.text ?? '') : made,
    sentOn: letter?.sentOn ?? '',
    answerDueOn: letter?.answerDueOn ?? '',
    answeredOn: letter?.answeredOn ?? '',
  });
  /** In each language what the user wrote, and the made text that it continues. */
  const written = useRef<Partial<Record<Language, { text: string; made: string }>>>({});
  const { text } = form.values;

  // A fact may arrive while the letter is open: the blank that the user left gets it.
  const base = useRef({ language, made });
  const isTyped = form.typed.text !== undefined;
  useEffect(() => {
    const before = base.current;
    base.current = { language, made };
    if (!isTyped || before.language !== language || before.made === made) return;
    form.change({ text: completedText(text, before.made, made) });
  });

  async function choose(chosen: Language) {
    try {
      await loadLanguage(chosen);
    } catch {
      const { name } = LANGUAGES[chosen];
      showToast({ text: t`${name}: this language is not on the phone yet and needs a connection.` });
      return;
    }
    const { text: typed, ...days } = form.typed;
    if (typed !== undefined) written.current[language] = { text: typed, made };
    const before = written.current[chosen];
    setLanguage(chosen);
    form.reset(before ? { ...days, text: completedText(before.text, before.made, makeText(chosen)) } : days);
  }

  const submit = () =>
    form.submit(
      validateForm(letterForm(), form.values),
      async (fields) => {
        if (bidId !== null) {
          const created = letter ? {} : { createdAt: currentTime().toISOString() };
          const money = depositId === undefined ? {} : { depositId };
          await saveLetter(id, { ...fields, ...created, ...money, bidId, kind, language });
          showToast({ text: t`Kept with the bid, under Letters.` });
        }
        onClose();
      },
      (error) => ({ text: letterFailureText(error) }),
    );

  return (
    <FormDialog
      title={letterKindLabels()[kind]}
      form={form}
      submitText={bidId === null ? t`Close` : t`Keep`}
      onSubmit={submit}
      onClose={onClose}
    >
      {!letter && (
        <ChoiceField
          label={t`Language`}
          value={language}
          onChange={({ target }) => void choose(target.value as Language)}
        >
          {languages().map((each) => (
            <option key={each} value={each} lang={each}>
              {LANGUAGES[each].name}
            </option>
          ))}
        </ChoiceField>
      )}
      <p className="xs muted">{t`Check it and fill in the lines. The app sends nothing to the office.`}</p>
      {kind === 'rti' && (
        <p className="xs muted">
          {t`Only a citizen may apply, so sign in your own name. The fee is ₹10 at offices of the Union; check the rules of your state.`}
        </p>
      )}
      <TextAreaField
        form={form}
        name="text"
        label={t({ message: 'Letter', context: 'label of its text' })}
        lang={language}
        rows={14}
      />
      <div className="row">
        {renderCopy(t`Share or copy`, () => text)}
        <Button look="plain" onClick={() => print()}>
          <Icon name="document" small /> {t`Print`}
        </Button>
        <Button
          look="plain"
          onClick={() => saveFile(`nivida-letter-${kind}.txt`, new Blob([text], { type: 'text/plain;charset=utf-8' }))}
        >
          <Icon name="download" small /> {t`Download`}
        </Button>
      </div>
      {bidId !== null && (
        <>
          <div className={entries.pair}>
            <TextField
              form={form}
              name="sentOn"
              label={t`Sent on`}
              type="date"
              onChange={({ target }) => {
                const due = answerDueOn(kind, target.value || '2000-01-01');
                form.change({ sentOn: target.value, ...(target.value && due && { answerDueOn: due }) });
              }}
            />
            <TextField form={form} name="answerDueOn" label={t`Answer due on`} type="date" />
          </div>
          {kind === 'rti' && (
            <p className="xs muted">
              {t`30 days from the day on which the office received it (RTI Act 2005, section 7(1)). After that day the app reminds you here and among the notices.`}
            </p>
          )}
          {form.values.sentOn && <TextField form={form} name="answeredOn" label={t`Answered on`} type="date" />}
        </>
      )}
      <div className={css.letter} lang={language} aria-hidden="true">
        {text}
      </div>
    </FormDialog>
  );
}
