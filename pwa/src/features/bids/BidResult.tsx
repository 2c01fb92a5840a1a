import { t } from '@lingui/core/macro';
import { PROFILE_ID } from '@nivida/contract/bids/record-ids';
import { currentTime } from '../../data/clock.ts';
import { saveRecord } from '../../data/records/records.ts';
import { toTypedRupees } from '../../data/typed-values.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorText, Note } from '../../ui/feedback/Note.tsx';
import { showToast } from '../../ui/feedback/toast.ts';
import { FormElement, TextField } from '../../ui/form/FormFields.tsx';
import { useForm, validateForm } from '../../ui/form/useForm.ts';
import css from './Bids.module.css';
import { bidFailureText, saveBid } from './bid-actions.ts';
import { FirmForm, ResultForm } from './bid-forms.ts';
import type { Bid } from './rules/bid.ts';
import type { SourceResult } from './rules/source-result.ts';
import { type BidStage, isFinished, stageLabel } from './rules/stages.ts';

/**
 * What the source says about the result, with a button for the stage that it suggests, or buttons for won and
 * lost. Only a tap moves the bid.
 */
export function SourceResultNote({ result, onMove }: { result: SourceResult; onMove: (to: BidStage) => void }) {
  const { text, suggestion, reason } = result;
  const choices: BidStage[] = suggestion === null ? ['won', 'lost'] : [suggestion];
  return (
    <Note tone="blue" icon="bell">
      <p>
        <strong>{text}</strong>
      </p>
      {reason && <p className="s">{`${reason} ${t`You decide.`}`}</p>}
      <div className={css.actions}>
        {choices.map((stage) => (
          <Button key={stage} onClick={() => onMove(stage)}>
            {t`Move to ${{ stage: stageLabel(stage) }}`}
          </Button>
        ))}
      </div>
    </Note>
  );
}

interface BidResultProps {
  bid: Bid;
  stage: BidStage;
  /** The portal no longer accepts bids. */
  isClosed: boolean;
  firmNames: readonly string[];
  onMove: (to: BidStage) => void;
}

/** The form of the result that the user enters. */
export function BidResult({ bid, stage, isClosed, firmNames, onMove }: BidResultProps) {
  const form = useForm({
    awardedPaise: toTypedRupees(bid.awardedPaise),
    winner: bid.winner ?? '',
    rank: bid.rank === undefined ? '' : String(bid.rank),
    rejectionReason: bid.rejectionReason ?? '',
  });
  const submit = () =>
    form.submit(
      validateForm(ResultForm, form.values),
      async (result) => {
        await saveBid(bid.id, result);
        form.reset();
        showToast({ text: t`Result saved.` });
      },
      (error) => ({ text: bidFailureText(error) }),
    );
  const choices = resultChoices(stage, isClosed);
  return (
    <div className="stack">
      {choices.length > 0 && (
        <div className={css.ending}>
          <h2>{t`How did it end?`}</h2>
          <div className="row">
            {choices.map(({ to, label }) => (
              <Button key={to} onClick={() => onMove(to)}>
                {label}
              </Button>
            ))}
          </div>
        </div>
      )}
      <FormElement form={form} className={css.form} onSubmit={submit}>
        <TextField
          form={form}
          name="awardedPaise"
          label={t`Awarded value`}
          hint="₹"
          inputMode="decimal"
          autoComplete="off"
        />
        <TextField form={form} name="winner" label={t`Winner`} hint={t`as the portal writes it`} autoComplete="off" />
        <TextField
          form={form}
          name="rank"
          label={t`My rank`}
          hint={t`L1 is 1`}
          inputMode="numeric"
          autoComplete="off"
        />
        <TextField
          form={form}
          name="rejectionReason"
          label={t`Why my bid was rejected`}
          hint={t`if it was`}
          autoComplete="off"
        />
        <ErrorText text={form.failure} />
        <div>
          <Button type="submit" busy={form.isBusy}>
            {t`Save the result`}
          </Button>
        </div>
      </FormElement>
      <FirmName firmNames={firmNames} />
    </div>
  );
}

/** The moves that a result makes possible. */
function resultChoices(stage: BidStage, isClosed: boolean): { to: BidStage; label: string }[] {
  if (stage === 'considering' || stage === 'preparing') {
    if (!isClosed) return [];
    return [
      { to: 'submitted', label: t`I submitted it` },
      { to: 'dropped', label: t`I did not submit it` },
    ];
  }
  if (isFinished(stage)) return [];
  return [
    { to: 'won', label: stageLabel('won') },
    { to: 'lost', label: stageLabel('lost') },
  ];
}

/** The firm's name. A result that names it only suggests a stage. */
function FirmName({ firmNames }: { firmNames: readonly string[] }) {
  const form = useForm({ firm: firmNames[0] ?? '' });
  const submit = () =>
    form.submit(
      validateForm(FirmForm, form.values),
      async ({ firm }) => {
        const names = [...(firm === null ? [] : [firm]), ...firmNames.slice(1)];
        await saveRecord(
          'profile',
          PROFILE_ID,
          { firmNames: names.length > 0 ? names : null },
          currentTime().getTime(),
        );
        form.reset();
        showToast({ text: t`Saved.` });
      },
      (error) => ({ text: bidFailureText(error) }),
    );
  return (
    <FormElement form={form} className={css.form} onSubmit={submit}>
      <TextField
        form={form}
        name="firm"
        label={t`My firm's name on portals`}
        hint={t`only suggests who won`}
        autoComplete="organization"
      />
      <div>
        <Button type="submit" busy={form.isBusy}>
          {t`Save the name`}
        </Button>
      </div>
    </FormElement>
  );
}
