import { plural, t } from '@lingui/core/macro';
import { namesText } from '@nivida/contract/filter/filter-texts';
import { MAX_FILTER_PLACES } from '@nivida/contract/filter/tender-filter';
import { departmentGloss } from '@nivida/contract/regions/department-gloss';
import { placeName } from '@nivida/contract/regions/states';
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { Icon } from '../../../ui/display/Icon.tsx';
import { Checkbox } from '../../../ui/form/Checkbox.tsx';
import { Input } from '../../../ui/form/Field.tsx';
import css from './PlaceChoices.module.css';
import { inOrderOf, type PlaceChoice, visibleChoices } from './place-choices.ts';

/** From this number of choices on, the user can filter them by typing. */
const MANY_CHOICES = 13;

interface PlaceChoicesProps {
  label: string;
  hint?: string | undefined;
  /** The parameter in the URL of the list. */
  name: 'district' | 'department';
  /** The text when nothing is chosen. */
  all: string;
  choices: readonly PlaceChoice[];
  chosen: readonly string[];
  isDisabled: boolean;
  onChange: (chosen: string[]) => void;
}

/** The choice of districts or departments: a button with the chosen names that opens a list of checkboxes. */
export function PlaceChoices(props: PlaceChoicesProps) {
  const { label, hint, name, all, chosen, isDisabled } = props;
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const isShown = isOpen && !isDisabled;
  const isDistrict = name === 'district';
  const text =
    chosen.length > 2
      ? namesText(chosen, isDistrict ? 'districts' : 'departments')
      : chosen.map(isDistrict ? placeName : String).join(', ');
  return (
    <div className={css.field}>
      <span id={`${id}-label`} className={css.label}>
        {label} {hint && <small>{hint}</small>}
      </span>
      <button
        type="button"
        id={id}
        className={css.value}
        aria-labelledby={`${id}-label ${id}`}
        aria-expanded={isShown}
        aria-controls={isShown ? `${id}-choices` : undefined}
        disabled={isDisabled}
        onClick={() => setOpen(!isOpen)}
      >
        <span>{text || all}</span>
        <Icon name="down" small />
      </button>
      {/* Used when the form is submitted before the app has loaded. */}
      {chosen.map((each) => (
        <input key={each} type="hidden" name={name} value={each} />
      ))}
      {isShown && <ChoiceList {...props} id={`${id}-choices`} labelId={`${id}-label`} />}
    </div>
  );
}

/** The department in the present language, below the name that portals use. */
function DepartmentGloss({ name }: { name: string }) {
  const gloss = departmentGloss(name);
  return gloss && <small className={css.gloss}> {gloss}</small>;
}

interface ChoiceListProps extends PlaceChoicesProps {
  id: string;
  labelId: string;
}

const districtTexts = (typed: string, count: number) => ({
  find: t`Find a district`,
  notFound: t`No district with “${typed}”`,
  none: t`No district has tenders now`,
  all: t`Show all ${count} districts`,
});

const departmentTexts = (typed: string, count: number): ReturnType<typeof districtTexts> => ({
  find: t`Find a department`,
  notFound: t`No department with “${typed}”`,
  none: t`No department has tenders now`,
  all: t`Show all ${count} departments`,
});

function ChoiceList({ name, choices, chosen, onChange, id, labelId }: ChoiceListProps) {
  const [typed, setTyped] = useState('');
  const [isAll, setAll] = useState(false);
  const panel = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    // Newer browsers return a promise, which an effect must not return.
    void panel.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const isCounted = choices.some(({ tenders }) => tenders !== undefined);
  // A choice or another filter changes the numbers of an open list, not its rows.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rows are those of the first numbers
  const first = useMemo(() => visibleChoices(choices, chosen, '', false).map((choice) => choice.name), [isCounted]);
  const visible = visibleChoices(inOrderOf(choices, first), [...chosen, ...first], typed, isAll);
  const hidden = typed.trim() === '' ? choices.length - visible.length : 0;
  const texts = (name === 'district' ? districtTexts : departmentTexts)(typed.trim(), choices.length);
  const isFull = chosen.length >= MAX_FILTER_PLACES;
  const toggle = (place: string) =>
    onChange(chosen.includes(place) ? chosen.filter((each) => each !== place) : [...chosen, place]);
  return (
    <fieldset ref={panel} id={id} className={css.panel} aria-labelledby={labelId}>
      {choices.length >= MANY_CHOICES && (
        <Input
          type="search"
          aria-label={texts.find}
          placeholder={texts.find}
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          // Not a field of the surrounding form: with a second text field, Enter would no longer submit the
          // keywords.
          form=""
        />
      )}
      <ul className={css.choices}>
        {visible.map((choice) => (
          <li key={choice.name}>
            <Checkbox
              checked={chosen.includes(choice.name)}
              disabled={isFull && !chosen.includes(choice.name)}
              onChange={() => toggle(choice.name)}
            >
              <span>
                {name === 'district' ? placeName(choice.name) : choice.name}
                {name === 'department' && <DepartmentGloss name={choice.name} />}
              </span>
              {choice.tenders !== undefined && (
                <span className={css.count}>
                  {' '}
                  {choice.tenders}
                  <span className="sr"> {plural(choice.tenders, { one: 'tender', other: 'tenders' })}</span>
                </span>
              )}
            </Checkbox>
          </li>
        ))}
      </ul>
      <p className={css.none} role="status">
        {visible.length === 0 && (typed.trim() ? texts.notFound : texts.none)}
        {isFull && t`At most ${MAX_FILTER_PLACES} can be chosen`}
      </p>
      {hidden > 0 && (
        <button type="button" className={css.more} onClick={() => setAll(true)}>
          {texts.all}
        </button>
      )}
    </fieldset>
  );
}
