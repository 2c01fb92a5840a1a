import { t } from '@lingui/core/macro';
import { compactNumber } from '@nivida/contract/digits';
import type { BidPartner, JointBid } from '@nivida/contract/rules/joint-bid';
import * as v from 'valibot';
import { Button } from '../../../ui/Button.tsx';
import entries from '../../../ui/display/entries.module.css';
import { FormElement, SelectField, TextField } from '../../../ui/form/FormFields.tsx';
import { useForm, validateForm } from '../../../ui/form/useForm.ts';
import css from '../Eligibility.module.css';

const percentText = () => t`Write a share from 0 to 100`;
const share = v.pipe(
  v.string(),
  v.transform(compactNumber),
  v.regex(/^\d+(\.\d{1,2})?$/, percentText),
  v.transform(Number),
  v.maxValue(100, percentText),
);
const kindText = () => t`Choose what the NIT says`;

const RuleForm = v.variant(
  'kind',
  [
    v.object({ kind: v.literal('sum'), lead: v.string() }),
    v.object({ kind: v.literal('shares'), lead: v.string(), leadPercent: share, partnerPercent: share }),
  ],
  kindText,
);

interface JointRuleFormProps {
  bid: JointBid;
  /** The partners of this bid. */
  partners: readonly BidPartner[];
  onSave: (change: Pick<JointBid, 'rule' | 'lead'>) => Promise<boolean>;
}

/** Asks which rule for joint bids stands in the NIT. */
export function JointRuleForm({ bid: { rule, lead }, partners, onSave }: JointRuleFormProps) {
  const shares = rule?.kind === 'shares' ? rule : null;
  const form = useForm<Record<'kind' | 'lead' | 'leadPercent' | 'partnerPercent', string>>({
    kind: rule?.kind ?? '',
    lead: lead ?? '',
    leadPercent: shares ? String(shares.leadPercent) : '',
    partnerPercent: shares ? String(shares.partnerPercent) : '',
  });
  const submit = () =>
    form.submit(
      validateForm(RuleForm, form.values),
      async ({ lead: chosen, ...chosenRule }) => {
        await onSave({ rule: chosenRule, lead: chosen || null });
      },
      () => ({ text: '' }),
    );
  return (
    <FormElement form={form} className={css.form} onSubmit={submit}>
      <SelectField
        form={form}
        name="kind"
        label={t`Rule for joint bids in the NIT`}
        empty={t`Not chosen`}
        options={[
          ['sum', t`Figures of the partners are added`],
          ['shares', t`Added, and each partner has a least share`],
        ]}
      />
      {form.values.kind === 'shares' && (
        <>
          <SelectField
            form={form}
            name="lead"
            label={t`Lead partner`}
            empty={t`Me`}
            options={partners.map(({ id, name }) => [id, name] as const)}
          />
          <div className={entries.pair}>
            <TextField form={form} name="leadPercent" label={t`Lead at least`} hint="%" inputMode="decimal" />
            <TextField form={form} name="partnerPercent" label={t`Others at least`} hint="%" inputMode="decimal" />
          </div>
        </>
      )}
      <div>
        <Button type="submit" busy={form.isBusy}>
          {t`Use this rule`}
        </Button>
      </div>
    </FormElement>
  );
}
