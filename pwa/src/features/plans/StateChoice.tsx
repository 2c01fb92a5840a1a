import { t } from '@lingui/core/macro';
import type { Plan } from '@nivida/contract/orders/plans';
import { placeName, stateOptions, statesByName } from '@nivida/contract/regions/states';
import { CheckboxList } from '../../ui/form/Checkbox.tsx';
import { ChoiceField } from '../../ui/form/Field.tsx';

interface StateChoiceProps {
  plan: Plan;
  chosen: readonly string[];
  error: string | undefined;
  onChange: (chosen: string[]) => void;
}

/**
 * The choice of a plan's states. One state is chosen from a select, up to five from a list. All of India
 * needs no choice.
 */
export function StateChoice({ plan, chosen, error, onChange }: StateChoiceProps) {
  if (plan.states === null) return <p className="s">{t`Covers all of India: there is no state to choose.`}</p>;
  if (plan.states > 1) {
    return (
      <div>
        <CheckboxList
          legend={t`States, up to ${{ most: plan.states }}`}
          options={statesByName().map(({ name }) => name)}
          nameOf={placeName}
          chosen={chosen}
          error={error}
          empty=""
          onChange={onChange}
        />
        {chosen.length > 0 && <p className="s muted">{chosen.map(placeName).join(', ')}</p>}
      </div>
    );
  }
  return (
    <ChoiceField
      label={t`State of the plan`}
      error={error}
      name="states"
      value={chosen[0] ?? ''}
      onChange={({ target }) => onChange(target.value === '' ? [] : [target.value])}
      empty={t`Choose a state`}
      options={stateOptions()}
    />
  );
}
