import { t } from '@lingui/core/macro';
import { ChangedId } from '@nivida/contract/desk/notices';
import type { SiteNotice } from '@nivida/contract/site/status';
import { type ComponentType, useState } from 'react';
import { instantOrTyped } from '../../../data/typed-values.ts';
import { ChoiceField, Field, Input } from '../../../ui/form/Field.tsx';
import { ActButton } from '../act/ActButton.tsx';
import { BilingualFields, toTexts, useTypedTexts } from './BilingualFields.tsx';

/** The line as users see it. */
export type NoticeLine = ComponentType<{ tone: SiteNotice['tone']; text: string }>;

/** The texts of a notice in both languages, as users see them. */
export function NoticePreview({ line: Line, tone, texts }: { line: NoticeLine } & Pick<SiteNotice, 'tone' | 'texts'>) {
  return (
    <>
      <Line tone={tone} text={texts.en} />
      {texts.hi && <Line tone={tone} text={texts.hi} />}
    </>
  );
}

const START = { tone: 'info' as SiteNotice['tone'], from: '', until: '' };

/** Publishes a line for all users. */
export function PublishNotice({ line }: { line: NoticeLine }) {
  const [texts, changeTexts, clearTexts] = useTypedTexts();
  const [{ tone, from, until }, setRest] = useState(START);
  const change = (changed: Partial<typeof START>) => setRest((before) => ({ ...before, ...changed }));
  const sent = toTexts(texts);
  return (
    <ActButton
      label={t`Publish a notice`}
      title={t`Publish a line that all users see`}
      path="notices"
      body={{ texts: sent, tone, starts_at: instantOrTyped(from), ends_at: instantOrTyped(until) }}
      schema={ChangedId}
      done={() => t`Published`}
      undo={({ id }) => ({ path: `notices/${id}/end` })}
      onDone={() => {
        clearTexts();
        setRest(START);
      }}
      usualReasons={[t`Planned work on the service`, t`Trouble at a portal`, t`News for all`]}
    >
      <BilingualFields texts={texts} onChange={changeTexts} />
      <ChoiceField
        label={t`Kind of line`}
        value={tone}
        options={[
          ['info', t`Information`],
          ['warning', t`Warning`],
        ]}
        onChange={({ target }) => change({ tone: target.value === 'warning' ? 'warning' : 'info' })}
      />
      <Field label={t`Shown from, Indian time`} hint={t`empty: now`}>
        {(control) => (
          <Input
            {...control}
            type="datetime-local"
            value={from}
            onChange={({ target }) => change({ from: target.value })}
          />
        )}
      </Field>
      <Field label={t`Shown until, Indian time`} hint={t`empty: until you end it`}>
        {(control) => (
          <Input
            {...control}
            type="datetime-local"
            value={until}
            onChange={({ target }) => change({ until: target.value })}
          />
        )}
      </Field>
      {sent.en.trim() !== '' && (
        <section className="stack" aria-label={t`As users see it`}>
          <p className="s muted">{t`As users see it`}</p>
          <NoticePreview line={line} tone={tone} texts={sent} />
        </section>
      )}
    </ActButton>
  );
}
