import { t } from '@lingui/core/macro';
import { CORRECTABLE_FIELDS, type CorrectableField, TenderStages } from '@nivida/contract/desk/tenders';
import { useState } from 'react';
import { instantOrTyped, toTypedInstant } from '../../../data/typed-values.ts';
import { ChoiceField, Field, Input } from '../../../ui/form/Field.tsx';
import { ActDialog, type UndoAct } from '../act/ActDialog.tsx';
import { FIELD_KINDS, fieldLabel, fieldValueText } from './desk-tenders.ts';

/** A stored value as its control has it: an instant is Indian wall time. */
const toControl = (field: CorrectableField, value: string | null): string =>
  FIELD_KINDS[field] === 'instant' ? toTypedInstant(value?.split(' ')[0]) : (value ?? '');

const fromControl = (field: CorrectableField, value: string): string =>
  FIELD_KINDS[field] === 'instant' ? (instantOrTyped(value) ?? '') : value;

interface CorrectDialogProps {
  tender: TenderStages;
  /** The field to begin with. */
  field: CorrectableField;
  onClose: () => void;
}

/** Corrects a field of a tender. An empty value empties the field. */
export function CorrectDialog({ tender, field: first, onClose }: CorrectDialogProps) {
  const { id, version, read_as, corrections } = tender;
  const presentValue = (field: CorrectableField) => read_as.find((each) => each.field === field)?.value ?? null;
  const [field, setField] = useState(first);
  const [typed, setTyped] = useState(() => toControl(first, presentValue(first)));
  const kind = FIELD_KINDS[field];
  const present = corrections.find((each) => each.field === field && each.ended_at === null);
  const undo: UndoAct = present
    ? { path: `tenders/${id}/correct`, body: { field, value: present.value ?? '' } }
    : { path: `tenders/${id}/uncorrect`, body: { field } };

  return (
    <ActDialog
      label={t`Correct`}
      title={t`Correct a field of this tender`}
      path={`tenders/${id}/correct`}
      body={{ field, value: fromControl(field, typed.trim()), version }}
      schema={TenderStages}
      done={() => t`Corrected: ${{ field: fieldLabel(field) }}`}
      undo={() => undo}
      usualReasons={[t`The portal shows another value`, t`The office confirmed it`, t`Reported by a user`]}
      onClose={onClose}
    >
      <ChoiceField
        label={t`Field`}
        name="field"
        value={field}
        options={CORRECTABLE_FIELDS.map((each) => [each, fieldLabel(each)] as const)}
        onChange={({ target }) => {
          const chosen = target.value as CorrectableField;
          setField(chosen);
          setTyped(toControl(chosen, presentValue(chosen)));
        }}
      />
      <Field label={t`Right value`} hint={kind === 'instant' ? t`Indian time` : t`empty: not specified`}>
        {(control) => (
          <Input
            {...control}
            type={kind === 'instant' ? 'datetime-local' : 'text'}
            inputMode={kind === 'rupees' ? 'decimal' : kind === 'pincode' ? 'numeric' : undefined}
            maxLength={500}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        )}
      </Field>
      <p className="s muted">
        {t`Now: ${{ value: fieldValueText(field, presentValue(field)) }}`}
        {present && ` · ${t`at the portal: ${{ value: fieldValueText(field, present.source_value) }}`}`}
      </p>
      <p className="s">{t`It holds until the portal states another value. Users see that we have corrected it.`}</p>
    </ActDialog>
  );
}
