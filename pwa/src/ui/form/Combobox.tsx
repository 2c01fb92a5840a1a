import { plural, t } from '@lingui/core/macro';
import { type ComponentProps, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { Icon, type IconName } from '../display/Icon.tsx';
import css from './Combobox.module.css';
import { type FieldControl, Input } from './Field.tsx';

/** A suggestion for the text of a field. */
export interface ComboboxOption {
  /** Unique among the options. */
  key: string;
  text: string;
  /** The kind of the suggestion, for example 'Place'. */
  kind?: string | undefined;
  icon?: IconName | undefined;
  /** Set when the user can remove the option. */
  onRemove?: (() => void) | undefined;
}

interface ComboboxProps<Option extends ComboboxOption>
  extends Omit<ComponentProps<'input'>, 'onChange' | 'value' | 'onSelect'> {
  control: FieldControl;
  value: string;
  options: readonly Option[];
  /** Name of the list for screen readers. */
  listLabel: string;
  onChange: (text: string) => void;
  onChoose: (option: Option) => void;
}

/** Keys that move the cursor in the text. They also leave the suggestions, so Enter then chooses none. */
const CURSOR_KEYS = new Set(['Home', 'End', 'ArrowLeft', 'ArrowRight']);

const isRemoval = ({ key, shiftKey }: KeyboardEvent) => key === 'Delete' && shiftKey;

/**
 * A text field with suggestions. It follows the ARIA pattern of an editable combobox with a list. The arrow
 * keys move through the suggestions; Home and End return to the text; Enter chooses, Escape closes,
 * Shift+Delete removes. The focus stays in the field.
 */
export function Combobox<Option extends ComboboxOption>(props: ComboboxProps<Option>) {
  const { control, value, options, listLabel, onChange, onChoose, onBlur, ...rest } = props;
  const listId = useId();
  const [isOpen, setOpen] = useState(false);
  const [activeKey, setActiveKey] = useState<string>();
  const list = useRef<HTMLDivElement>(null);
  const isShown = isOpen && options.length > 0;
  const active = isShown ? options.findIndex(({ key }) => key === activeKey) : -1;
  const optionId = (at: number) => `${listId}-${at}`;

  useEffect(() => {
    if (active >= 0) list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);

  function close() {
    setOpen(false);
    setActiveKey(undefined);
  }

  function choose(option: Option) {
    close();
    onChoose(option);
  }

  /** Moves to the next or previous suggestion. Before the first and after the last suggestion is the text. */
  function move(step: 1 | -1) {
    const places = options.length + 1;
    const next = (active + 1 + step + places) % places;
    setOpen(true);
    setActiveKey(options[next - 1]?.key);
  }

  function handleKey(event: KeyboardEvent) {
    const option = options[active];
    // Enter ends the composition of an input method here.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown' && options.length > 0) move(1);
    else if (event.key === 'ArrowUp' && isShown) move(-1);
    else if (event.key === 'Enter' && option) choose(option);
    else if (event.key === 'Escape' && isShown) close();
    else if (isRemoval(event) && option?.onRemove) option.onRemove();
    else {
      if (event.key === 'Enter') close();
      if (CURSOR_KEYS.has(event.key)) setActiveKey(undefined);
      return;
    }
    event.preventDefault();
  }

  const found = plural(options.length, { one: '# suggestion', other: '# suggestions' });
  return (
    <div className={css.combobox}>
      <Input
        {...rest}
        {...control}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isShown}
        aria-controls={isShown ? listId : undefined}
        aria-activedescendant={active >= 0 ? optionId(active) : undefined}
        autoComplete="off"
        value={value}
        onChange={(event) => {
          onChange(event.target.value);
          setOpen(true);
          setActiveKey(undefined);
        }}
        onKeyDown={handleKey}
        onBlur={(event) => {
          close();
          onBlur?.(event);
        }}
      />
      {isShown && (
        <div
          ref={list}
          id={listId}
          role="listbox"
          aria-label={listLabel}
          className={css.list}
          // Prevents that the field loses the focus.
          onMouseDown={(event) => event.preventDefault()}
        >
          {options.map((option, at) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are handled by the field
            <div
              key={option.key}
              id={optionId(at)}
              role="option"
              tabIndex={-1}
              aria-selected={at === active}
              className={css.option}
              onClick={() => choose(option)}
            >
              {option.icon && <Icon name={option.icon} small />}
              <span className={css.text}>{option.text}</span>
              {option.kind && <span className={css.kind}>{option.kind}</span>}
              {option.onRemove && (
                // Only for a mouse or a finger: an option must not contain a control. On a keyboard there is
                // Shift+Delete.
                <span
                  className={css.remove}
                  aria-hidden="true"
                  title={t`Remove ${option.text}`}
                  onClick={(event) => {
                    event.stopPropagation();
                    option.onRemove?.();
                  }}
                >
                  <Icon name="close" small />
                </span>
              )}
            </div>
          ))}
        </div>
      )}
      <span className="sr" role="status">
        {isShown && (options[active]?.onRemove ? t`${found}, Shift and Delete remove this one` : found)}
      </span>
    </div>
  );
}
