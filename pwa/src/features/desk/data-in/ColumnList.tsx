import { t } from '@lingui/core/macro';
import type { FileColumns } from '@nivida/contract/desk/data-in';
import {
  type AmountUnit,
  type ColumnMapping,
  hasUnit,
  MAPPED_FIELD_NAMES,
  type MappedColumn,
  type MappedFieldName,
  mappedField,
  mappingProblem,
  unitOfColumn,
} from '@nivida/contract/desk/mapping';
import { i18n } from '@nivida/contract/i18n';
import { Note } from '../../../ui/feedback/Note.tsx';
import { ChoiceField, Field, Input } from '../../../ui/form/Field.tsx';
import css from './DataIn.module.css';

/** The mapping and the state that a count was asked with. */
interface CountedMapping {
  mapping: ColumnMapping;
  state: string | null;
}

const sameName = (one: string, other: string) => one.trim().toLowerCase() === other.trim().toLowerCase();

/**
 * The mapping to begin with: that of the file's last count, else the saved one for columns that it names and guesses for the
 * others.
 */
export function firstMapping({ columns, saved }: FileColumns, counted?: CountedMapping): ColumnMapping {
  const known = saved?.mapping;
  // The state of all rows stands in the mapping, too, when the operator chose it.
  if (counted) return { ...counted.mapping, state: (counted.state === null ? counted.mapping : known)?.state ?? null };
  const taken = new Set<MappedFieldName>();
  const initial = columns.map(({ column, guess }) => {
    const before = known?.columns.find((each) => sameName(each.column, column));
    const field = before ? before.field : guess;
    const unit = before?.unit ?? unitOfColumn(column);
    return { column, field, unit, isKnown: before !== undefined };
  });
  for (const { field, isKnown } of initial) if (isKnown && field) taken.add(field);
  return {
    columns: initial.map(({ column, field, unit, isKnown }) => ({
      ...{ column, unit },
      // A guess does not double a field that the saved mapping has.
      field: field && !isKnown && taken.has(field) ? null : field,
    })),
    fixed: known?.fixed ?? {},
    state: known?.state ?? null,
  };
}

interface ColumnListProps {
  columns: FileColumns;
  mapping: ColumnMapping;
  onChange: (mapping: ColumnMapping) => void;
}

/** The columns of a file with three values each, and the field that each of them fills. */
export function ColumnList({ columns: { columns, saved, table, header_line }, mapping, onChange }: ColumnListProps) {
  const problem = mappingProblem(mapping);
  const fields = MAPPED_FIELD_NAMES.map((name) => {
    const { label, isNeeded } = mappedField(name);
    return [name, isNeeded ? `${i18n._(label)} *` : i18n._(label)] as const;
  });
  const setColumn = (n: number, change: Partial<MappedColumn>) =>
    onChange({ ...mapping, columns: mapping.columns.map((each, at) => (at === n ? { ...each, ...change } : each)) });
  const { organisation: _, ...fixed } = mapping.fixed;
  const hasOffice = mapping.columns.some(({ field }) => field === 'organisation');
  return (
    <section className="stack" aria-labelledby="columns">
      <h2 id="columns">{t`What each column is`}</h2>
      <p className="s muted">
        {[
          table !== null && t`Table “${{ name: table }}”`,
          t`header in line ${{ line: header_line }}`,
          t`fields with * are needed`,
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {saved && (
        <Note tone="amber" icon="warning">
          {t`The columns differ from the saved mapping of ${{ portal: saved.portal }} (version ${{ version: saved.version }}). Look at the new ones.`}
        </Note>
      )}
      <ul className={css.columns}>
        {columns.map(({ column, samples, by, guess }, n) => {
          const { field = null, unit = unitOfColumn(column) } = mapping.columns[n] ?? {};
          const isNew = saved !== null && !saved.mapping.columns.some((each) => sameName(each.column, column));
          const hint = [
            isNew && t`new`,
            field !== null && field === guess && by === 'values' && t`guessed from its values`,
          ];
          return (
            // Two columns of a table may have one name.
            // biome-ignore lint/suspicious/noArrayIndexKey: the columns of a file keep their order
            <li key={n} data-field={field ?? undefined}>
              <div>
                <p dir="auto">
                  <strong>{column || t`(no name)`}</strong>{' '}
                  <span className="s muted">{hint.filter(Boolean).join(', ')}</span>
                </p>
                <div className={css.samples}>
                  {samples.map((sample) => (
                    <span key={sample} dir="auto">
                      {sample}
                    </span>
                  ))}
                </div>
              </div>
              <div className="stack">
                <ChoiceField
                  label={t`Field of “${{ column: column || String(n + 1) }}”`}
                  value={field ?? ''}
                  empty={t`not read`}
                  options={fields}
                  onChange={({ target }) => setColumn(n, { field: (target.value || null) as MappedFieldName | null })}
                />
                {hasUnit(field) && (
                  <ChoiceField
                    label={t`Numbers of “${{ column: column || String(n + 1) }}” are in`}
                    value={unit}
                    options={[
                      ['rupee', t`rupees`],
                      ['thousand', t`thousands`],
                      ['lakh', t`lakhs`],
                      ['crore', t`crores`],
                    ]}
                    onChange={({ target }) => setColumn(n, { unit: target.value as AmountUnit })}
                  />
                )}
              </div>
            </li>
          );
        })}
      </ul>
      {!hasOffice && (
        <Field label={t`Organisation of all rows`} hint={t`when no column names it`}>
          {(control) => (
            <Input
              {...control}
              value={mapping.fixed.organisation ?? ''}
              onChange={({ target }) =>
                onChange({ ...mapping, fixed: target.value === '' ? fixed : { ...fixed, organisation: target.value } })
              }
            />
          )}
        </Field>
      )}
      {problem !== undefined && (
        <Note tone="amber" icon="warning">
          {problem}
        </Note>
      )}
    </section>
  );
}
