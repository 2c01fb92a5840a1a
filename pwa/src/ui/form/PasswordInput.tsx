import { Trans } from '@lingui/react/macro';
import { type ComponentProps, useState } from 'react';
import { Input } from './Field.tsx';
import css from './PasswordInput.module.css';

/** A password input with a button that shows the password. */
export function PasswordInput(props: Omit<ComponentProps<'input'>, 'type'>) {
  const [isShown, setShown] = useState(false);
  return (
    <span className={css.password}>
      <Input
        {...props}
        type={isShown ? 'text' : 'password'}
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck="false"
      />
      <button type="button" onClick={() => setShown(!isShown)}>
        {isShown ? (
          <Trans>
            Hide<span className="sr"> password</span>
          </Trans>
        ) : (
          <Trans>
            Show<span className="sr"> password</span>
          </Trans>
        )}
      </button>
    </span>
  );
}
