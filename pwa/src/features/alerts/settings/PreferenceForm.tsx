import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { i18n } from '@nivida/contract/i18n';
import { LANGUAGES, languages } from '@nivida/contract/languages';
import { ALERT_KINDS, NOTICE_KINDS } from '@nivida/contract/push/alert-kinds';
import type { AlertPreferences, AlertPreferencesChange } from '@nivida/contract/push/push';
import { useSellsNothing } from '../../../data/server/site.ts';
import { Checkbox } from '../../../ui/form/Checkbox.tsx';
import { ChoiceField, Field, Input } from '../../../ui/form/Field.tsx';
import css from './PreferenceForm.module.css';

const DEFAULT_QUIET_HOURS = { from: '21:00', until: '07:00' };

interface PreferenceFormProps {
  preferences: AlertPreferences;
  /**
   * Alerts about saved searches and followed offices need an account, because only then the server has them.
   */
  isSignedIn: boolean;
  disabled: boolean;
  onChange: (change: AlertPreferencesChange) => void;
}

/** Kinds, times and language of the alerts. Each change is saved at once. */
export function PreferenceForm({ preferences, isSignedIn, disabled, onChange }: PreferenceFormProps) {
  const { kinds, quiet, language, matches } = preferences;
  const sellsNothing = useSellsNothing();
  return (
    <>
      <fieldset className={css.group} disabled={disabled}>
        <legend>{t`Tell me`}</legend>
        {NOTICE_KINDS.map((kind) => {
          const { preference, needs } = ALERT_KINDS[kind];
          const isPossible = isSignedIn || needs === 'nothing';
          return (
            <Checkbox
              key={kind}
              checked={kinds[kind] && isPossible}
              disabled={!isPossible}
              onChange={(event) => onChange({ kinds: { [kind]: event.target.checked } })}
            >
              {i18n._(preference)}
            </Checkbox>
          );
        })}
        <p className="xs muted">
          {isSignedIn
            ? sellsNothing
              ? t`Saved searches and followed offices: only in your states. Alerts also include works above the limit of your enlistment: “Works I may bid” filters the app only.`
              : t`Saved searches and followed offices: only in the states of your plan or free trial. Alerts also include works above the limit of your enlistment: “Works I may bid” filters the app only. The rest is free.`
            : sellsNothing
              ? t`Saved searches, followed offices and the vault need an account.`
              : t`Saved searches and followed offices need an account with a plan or the free trial. The vault needs an account. The rest is free.`}
        </p>
      </fieldset>
      {isSignedIn && (
        <ChoiceField
          label={t`Send new tenders`}
          value={matches}
          disabled={disabled || !(kinds.match || kinds.office)}
          onChange={(event) => onChange({ matches: event.target.value as AlertPreferences['matches'] })}
          options={[
            ['digest', t`Together, at 6:30 PM`],
            ['at-once', t`At once`],
          ]}
        />
      )}
      <fieldset className={css.group} disabled={disabled}>
        <legend>{t`Quiet hours`}</legend>
        <Checkbox
          checked={quiet !== null}
          onChange={(event) => onChange({ quiet: event.target.checked ? DEFAULT_QUIET_HOURS : null })}
        >
          {t`Quiet at night`}
        </Checkbox>
        <p className="xs muted">
          <Trans>
            Alerts wait until the quiet hours end. If the tender closes before that, or less than an hour later, the
            alert comes just before the quiet hours begin. If they have begun, it comes at once, without sound.
          </Trans>
        </p>
        {quiet && (
          <div className={css.times}>
            <TimeField label={t`From`} value={quiet.from} onPick={(from) => onChange({ quiet: { ...quiet, from } })} />
            <TimeField
              label={t`Until`}
              value={quiet.until}
              onPick={(until) => onChange({ quiet: { ...quiet, until } })}
            />
          </div>
        )}
      </fieldset>
      <ChoiceField
        label={t`Language of the alerts`}
        value={language}
        disabled={disabled}
        onChange={(event) => onChange({ language: event.target.value as AlertPreferences['language'] })}
      >
        {languages().map((each) => (
          <option key={each} value={LANGUAGES[each].locale} lang={each}>
            {LANGUAGES[each].name}
          </option>
        ))}
      </ChoiceField>
    </>
  );
}

function TimeField({ label, value, onPick }: { label: string; value: string; onPick: (time: string) => void }) {
  return (
    <Field label={label}>
      {(control) => (
        <Input
          {...control}
          type="time"
          key={value}
          defaultValue={value}
          onBlur={(event) => {
            const time = event.target.value;
            if (time && time !== value) onPick(time);
          }}
        />
      )}
    </Field>
  );
}
