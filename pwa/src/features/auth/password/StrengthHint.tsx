import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { i18n } from '@nivida/contract/i18n';
import css from '../auth.module.css';
import { type PasswordStrength, passwordStrength } from './strength.ts';

const STRENGTH_TEXTS: Readonly<Record<PasswordStrength, { tone: string; text: MessageDescriptor }>> = {
  short: { tone: 'gray', text: msg`12 or more characters are safer.` },
  weak: { tone: 'red', text: msg`Weak: easy to guess. Add words that do not belong together.` },
  fair: { tone: 'amber', text: msg`Fair: 12 or more characters are safer.` },
  good: { tone: 'green', text: msg`Good.` },
  strong: { tone: 'green', text: msg`Strong.` },
};

/**
 * A hint about the strength of a new password. A password made of `known` texts (name, e-mail and the like) is weak.
 */
export function StrengthHint({ password, known }: { password: string; known: readonly string[] }) {
  const { tone, text } = STRENGTH_TEXTS[passwordStrength(password, known)];
  return (
    <p className={css.strength} role="status" data-tone={tone}>
      {i18n._(text)}
    </p>
  );
}
