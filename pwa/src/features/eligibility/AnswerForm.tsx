import { t } from '@lingui/core/macro';
import { formatRupees } from '@nivida/contract/format';
import type { BidQuestion } from '@nivida/contract/rules/bid-questions';
import type { BidProfile } from '@nivida/contract/rules/may-i-bid';
import { useLayoutEffect } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Field, type FieldControl, Input, Select } from '../../ui/form/Field.tsx';
import { FormElement } from '../../ui/form/FormFields.tsx';
import { type CheckedForm, useForm, validateForm } from '../../ui/form/useForm.ts';
import css from './Eligibility.module.css';
import { tradeLabels } from './ProfileForms.tsx';
import { answerForm, typedRupees } from './profile-forms.ts';

type Answer = BidQuestion['answer'];

/** The profile with a new answer to a question. */
const withAnswer = (profile: BidProfile, question: BidQuestion, answer: Answer): BidProfile =>
  (question.write as (profile: BidProfile, answer: Answer) => BidProfile)(profile, answer);

export interface AnswerFormProps {
  question: BidQuestion;
  now: Date;
  /** The user came from another question or a button, so the field takes the focus. */
  isFocused: boolean;
  /** Changes the profile. Resolves to false when the change was not stored. */
  onSave: (change: (profile: BidProfile) => BidProfile) => Promise<boolean>;
  /** Called when the answer is stored. `undo` restores the earlier answer. */
  onSaved: (undo: () => void) => void;
  /** Called when the user leaves without an answer. */
  onLeave: () => void;
}

/** One question with its field. Saving an empty field deletes an earlier answer. */
export function AnswerForm({ question, now, isFocused, onSave, onSaved, onLeave }: AnswerFormProps) {
  const form = useForm({ answer: question.answer === null ? '' : String(question.answer) });
  const { answer } = form.values;
  // A layout effect runs at once, so the keyboard of a phone stays open.
  useLayoutEffect(() => {
    if (isFocused) form.ref.current?.querySelector<HTMLElement>('input, select')?.focus();
  }, [isFocused, form.ref]);

  const save = () => {
    const checked: CheckedForm<{ answer: Answer }> =
      answer === '' && question.answer !== null
        ? { sent: { answer: null }, errors: {} }
        : validateForm(answerForm(question.kind, now), form.values);
    return form.submit(
      checked,
      async (entered) => {
        if (!(await onSave((present) => withAnswer(present, question, entered.answer)))) return;
        onSaved(() => void onSave((present) => withAnswer(present, question, question.answer)));
      },
      () => ({ text: '' }),
    );
  };
  const rupees = question.kind === 'rupees' ? typedRupees(answer) : undefined;
  return (
    <FormElement
      form={form}
      className={css.answer}
      onSubmit={save}
      onKeyDown={(event) => event.key === 'Escape' && onLeave()}
    >
      <Field
        label={question.text}
        hint={question.kind === 'rupees' ? t`rupees` : undefined}
        error={form.errors.answer}
        note={question.kind === 'rupees' ? (rupees === undefined ? '' : formatRupees(rupees)) : undefined}
      >
        {(control) => (
          <AnswerControl
            control={control}
            kind={question.kind}
            value={answer}
            onChange={(text) => form.change({ answer: text })}
          />
        )}
      </Field>
      <div className={css.answers}>
        <Button type="submit" busy={form.isBusy}>
          {t`Save`}
        </Button>
        <Button look="plain" onClick={onLeave}>
          {question.answer === null ? t`Skip` : t`Cancel`}
        </Button>
      </div>
    </FormElement>
  );
}

function AnswerControl(props: {
  control: FieldControl;
  kind: BidQuestion['kind'];
  value: string;
  onChange: (text: string) => void;
}) {
  const { control, kind, value, onChange } = props;
  if (kind === 'trade')
    return (
      <Select
        {...control}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        empty={t`Not entered`}
        options={Object.entries(tradeLabels())}
      />
    );
  const isDay = kind === 'day' || kind === 'pastDay';
  return (
    <Input
      {...control}
      {...(isDay ? { type: 'date' } : kind === 'rupees' && { inputMode: 'decimal' })}
      autoComplete="off"
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}
