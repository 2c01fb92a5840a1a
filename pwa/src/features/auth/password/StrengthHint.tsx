import css from '../auth.module.css';
import { type PasswordStrength, passwordStrength } from './strength.ts';

const STRENGTH_TEXTS: Readonly<Record<PasswordStrength, { tone: string; text: string }>> = {
  short: { tone: 'gray', text: '12 or more characters are safer.' },
  weak: { tone: 'red', text: 'Weak: easy to guess. Add words that do not belong together.' },
  fair: { tone: 'amber', text: 'Fair: 12 or more characters are safer.' },
  good: { tone: 'green', text: 'Good.' },
  strong: { tone: 'green', text: 'Strong.' },
};

/**
 * A hint about the strength of a new password. A password made of `known` texts (name, e-mail and the like) is weak.
 */
export function StrengthHint({ password, known }: { password: string; known: readonly string[] }) {
  const { tone, text } = STRENGTH_TEXTS[passwordStrength(password, known)];
  return (
    <p className={css.strength} role="status" data-tone={tone}>
      {text}
    </p>
  );
}
