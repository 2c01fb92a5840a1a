import { currentLanguage } from '@nivida/contract/i18n';
import type { ReactNode } from 'react';

/** The Hindi words beside a text. Nothing in Hindi, where the text itself has them. */
export function HindiGloss({ as: Tag = 'small', children }: { as?: 'small' | 'span'; children?: ReactNode }) {
  return currentLanguage() === 'hi' ? null : <Tag lang="hi">{children}</Tag>;
}
