import { t } from '@lingui/core/macro';
import { MAX_NOTICE_LETTERS } from '@nivida/contract/site/status';
import { useState } from 'react';
import { Field, TextArea } from '../../../ui/form/Field.tsx';

/** A text in both languages as it is typed. */
export interface TypedTexts {
  en: string;
  hi: string;
}

/** The texts as they are sent: without an empty Hindi one. */
export const toTexts = ({ en, hi }: TypedTexts) => ({ en, ...(hi.trim() !== '' && { hi }) });

/** Typed texts, and a function that empties them after the act. */
export function useTypedTexts(): [
  texts: TypedTexts,
  change: (changed: Partial<TypedTexts>) => void,
  clear: () => void,
] {
  const [texts, setTexts] = useState<TypedTexts>({ en: '', hi: '' });
  return [texts, (changed) => setTexts((before) => ({ ...before, ...changed })), () => setTexts({ en: '', hi: '' })];
}

/** One text in English and Hindi. */
export function BilingualFields({
  texts,
  onChange,
}: {
  texts: TypedTexts;
  onChange: (changed: Partial<TypedTexts>) => void;
}) {
  const common = { rows: 2, maxLength: MAX_NOTICE_LETTERS };
  return (
    <>
      <Field label={t`Text in English`}>
        {(control) => (
          <TextArea
            {...common}
            {...control}
            lang="en"
            value={texts.en}
            onChange={({ target }) => onChange({ en: target.value })}
          />
        )}
      </Field>
      <Field label={t`Text in Hindi`} hint={t`without it Hindi readers see the English one`}>
        {(control) => (
          <TextArea
            {...common}
            {...control}
            lang="hi"
            value={texts.hi}
            onChange={({ target }) => onChange({ hi: target.value })}
          />
        )}
      </Field>
    </>
  );
}
