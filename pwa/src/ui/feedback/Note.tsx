import type { ReactNode } from 'react';
import type { Tone } from '../display/Badge.tsx';
import { Icon, type IconName } from '../display/Icon.tsx';
import css from './Note.module.css';

/**
 * A remark beside a fact. The colour of its edge is the outcome. With `alert`, screen readers announce it at
 * once.
 */
export function Note(props: { tone?: Tone; icon?: IconName; alert?: boolean; children: ReactNode }) {
  return (
    <div className={css.note} data-tone={props.tone} role={props.alert ? 'alert' : undefined}>
      {props.icon && <Icon name={props.icon} />}
      <div>{props.children}</div>
    </div>
  );
}

/** Says why a call failed. Screen readers announce it at once. Renders nothing without a text. */
export function ErrorText({ text }: { text: string | undefined }) {
  return (
    text && (
      <Note tone="red" icon="warning" alert>
        {text}
      </Note>
    )
  );
}
