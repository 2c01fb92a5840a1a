import { t } from '@lingui/core/macro';
import css from './Steps.module.css';

/** The steps of a form. A bar marks the completed steps. `current` counts from 1. */
export function Steps({ names, current }: { names: readonly string[]; current: number }) {
  return (
    <ol className={css.steps} aria-label={t`Steps`}>
      {names.map((name, index) => (
        <li
          key={name}
          aria-current={index + 1 === current ? 'step' : undefined}
          data-done={index < current || undefined}
        >
          {index + 1}. {name}
        </li>
      ))}
    </ol>
  );
}
