import { t } from '@lingui/core/macro';
import type { ReadFile, TenderFact } from '@nivida/contract/documents/tender-reading';
import { type ReactNode, useEffect, useRef } from 'react';
import { Badge } from '../../ui/display/Badge.tsx';
import { langOf } from '../../ui/words/lang-of.ts';
import css from './DocumentFacts.module.css';
import { checkedText, factValueText } from './fact-labels.ts';

/** 'The document says, p. 4', with the file's name among several. */
export function factSourceText({ page }: Pick<TenderFact, 'page'>, fileName: string | null): string {
  return fileName === null ? t`The document says, p. ${page}` : t`${fileName} says, p. ${page}`;
}

interface FactLineProps {
  fact: TenderFact;
  file: ReadFile | undefined;
  /** Names the file, because there are several. */
  isFileNamed: boolean;
  /** The address of the page names this line. */
  isTarget: boolean;
  /** Opens the page, and reports a wrong line; null without either. */
  actions: ReactNode;
}

/** One line of a document, cut to two rows. A tap shows all of it, with its actions. */
export function FactLine({ fact, file, isFileNamed, isTarget, actions }: FactLineProps) {
  const { id, quote, value, state } = fact;
  const checked = checkedText(state);
  const line = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (isTarget) line.current?.scrollIntoView({ block: 'center' });
  }, [isTarget]);
  return (
    <details className={css.line} id={`fact-${id}`} ref={line} open={isTarget} data-target={isTarget || undefined}>
      <summary>
        <span className={css.source}>
          {factSourceText(fact, isFileNamed && file ? file.name : null)}
          {checked !== null && <Badge tone="green">{checked}</Badge>}
        </span>
        {value !== null && <b className="num">{factValueText(value)}</b>}
        <q lang={langOf(quote)}>{quote}</q>
      </summary>
      {actions !== null && <div className={css.actions}>{actions}</div>}
    </details>
  );
}
