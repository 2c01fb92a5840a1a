import { currentLanguage } from '@nivida/contract/i18n';
import type { ReactNode } from 'react';

/** The Hindi words beside an English text. In another language there are none: the text itself is in that language. */
export function HindiGloss({ as: Tag = 'small', children }: { as?: 'small' | 'span'; children?: ReactNode }) {
  return currentLanguage() === 'en' ? <Tag lang="hi">{children}</Tag> : null;
}
