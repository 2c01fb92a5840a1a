import { t } from '@lingui/core/macro';
import { chooseSpace, firmOf, useRecordOwner } from '../../data/firms/space.ts';
import { useOwner } from '../../data/session.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { Note } from '../../ui/feedback/Note.tsx';
import { ChoiceField } from '../../ui/form/Field.tsx';
import css from './firms.module.css';
import { LostFirmNotes } from './LostFirmNotes.tsx';
import { useFirms } from './useFirms.ts';

/**
 * Chooses whose records are shown: the user's own ones, or those of a firm. Renders nothing without an account. A user of no
 * firm reads that there are firms, unless `onlyChoice` is set.
 */
export function SpaceSwitch({ onlyChoice = false }: { onlyChoice?: boolean }) {
  const owner = useOwner();
  const { rows: firms } = useFirms();
  const chosen = firmOf(useRecordOwner());
  if (owner === '' || !firms) return null;
  if (onlyChoice && firms.length === 0) return <LostFirmNotes userId={owner} />;
  const firm = firms.find(({ id }) => id === chosen);
  return (
    <>
      <LostFirmNotes userId={owner} />
      <div className={css.switch}>
        {firms.length > 0 && (
          <ChoiceField
            label={t`Shown here`}
            value={chosen ?? ''}
            onChange={({ target }) => chooseSpace(target.value || undefined)}
            empty={t`My own`}
            options={firms.map(({ id, name }) => [id, name] as const)}
          />
        )}
        <ButtonLink look="plain" to="/dashboard/firms">
          {firms.length > 0 ? t`Firms` : t`Work with others of my firm`}
        </ButtonLink>
      </div>
      {firm && !firm.canWrite && (
        <Note tone="amber" icon="warning">
          {t`This firm has no plan: its records can be read. What you change stays on this device until it has one.`}
        </Note>
      )}
    </>
  );
}
