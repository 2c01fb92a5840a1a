import { t } from '@lingui/core/macro';
import { i18n } from '@nivida/contract/i18n';
import { explainedWord, WORD_GROUPS } from '@nivida/contract/words/tender-words';
import { Panel } from '../../ui/display/Panel.tsx';
import { HindiGloss } from '../../ui/words/HindiGloss.tsx';
import css from './Help.module.css';

/** All words of tendering, in the order of a bid. Each can be linked by its id. */
export function WordList() {
  return (
    <Panel stack aria-labelledby="words">
      <h2 id="words">
        {t`Words of tendering`} <HindiGloss as="span">टेंडर के शब्द</HindiGloss>
      </h2>
      {WORD_GROUPS.map(({ title, ids }) => (
        <section key={title.id} className={css.group}>
          <h3>{i18n._(title)}</h3>
          <dl className={css.words}>
            {ids.map(explainedWord).map((word) => (
              <div key={word.id} id={word.id} tabIndex={-1}>
                <dt>
                  <b>{word.title}</b> {word.name && `${word.name} · `}
                  <span className="muted" lang={word.other.lang}>
                    {word.other.text}
                  </span>
                </dt>
                <dd>{word.meaning}</dd>
                <dd>{word.advice}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Panel>
  );
}
