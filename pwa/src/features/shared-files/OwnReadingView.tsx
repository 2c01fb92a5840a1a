import { plural, t } from '@lingui/core/macro';
import { FACT_TOPICS, type FactTopic, type FactValue } from '@nivida/contract/documents/document-facts';
import { boqSummary, type OwnReading } from '@nivida/contract/documents/tender-reading';
import { formatFullRupees } from '@nivida/contract/format';
import { Note } from '../../ui/feedback/Note.tsx';
import { langOf } from '../../ui/words/lang-of.ts';
import { BoqSummaryView } from './BoqSummaryView.tsx';
import css from './shared-files.module.css';

const labels = (): Record<FactTopic, string> => ({
  emd: t`EMD`,
  fee: t`Tender fee`,
  estimate: t`Estimated value`,
  period: t`Period of work`,
  validity: t`Bid validity`,
  security: t`Security deposit`,
  similarWorks: t`Similar works done`,
  turnover: t`Turnover`,
  class: t`Class of contractor`,
  registration: t`Registration`,
  jointVenture: t`Joint venture`,
  mse: t`Small firms (MSE)`,
  priceVariation: t`Price variation`,
  defectLiability: t`Defect liability`,
  preBid: t`Pre-bid meeting`,
  originals: t`Originals by hand: where and until when`,
  documents: t`Documents to upload`,
});

function valueText({ unit, amount }: FactValue): string {
  if (unit === 'rupees') return formatFullRupees(amount);
  return unit === 'days'
    ? plural(amount, { one: '# day', other: '# days' })
    : plural(amount, { one: '# month', other: '# months' });
}

/** What the reader could do with the document. */
function stateText({ state, pages, unreadPages }: OwnReading): string {
  const unread = unreadPages.map(({ page }) => page).join(', ');
  switch (state) {
    case 'done':
      return pages === null ? t`Read.` : plural(pages, { one: '# page read.', other: '# pages read.' });
    case 'part':
      return t`These pages could not be read by the program: ${unread}. Read them yourself.`;
    case 'pictures':
      return t`All its pages are pictures: read them yourself.`;
    case 'font':
      return t`It has an old font that could not be read: read it yourself.`;
    case 'locked':
      return t`It is locked with a password. Save it without the password and share it again.`;
    case 'broken':
      return t`The file is damaged, so it could not be read. Get it again from where it came, then share it.`;
    case 'too-large':
      return t`It is too large to be read here: read it yourself.`;
    case 'template':
      return t`It is an empty form without items.`;
    case 'waiting':
    case 'other':
      return t`This kind of file is not read here: read it yourself.`;
  }
}

/** What a user's own document says: its BOQ in a few lines, then the lines by topic with their page. */
export function OwnReadingView({ reading }: { reading: OwnReading }) {
  const { id, state, facts, boq } = reading;
  const names = labels();
  const topics = FACT_TOPICS.filter((topic) => facts.some((fact) => fact.topic === topic));
  const hasText = state === 'done' || state === 'part';
  return (
    <>
      {state === 'done' ? (
        <p className="s muted">{stateText(reading)}</p>
      ) : (
        <Note tone="amber" icon="eye">
          {stateText(reading)}
        </Note>
      )}
      {boq && <BoqSummaryView summary={boqSummary(boq)} />}
      {topics.map((topic) => (
        <section key={topic} className={css.topic} aria-labelledby={`${id}-${topic}`}>
          <h3 id={`${id}-${topic}`}>{names[topic]}</h3>
          <ul>
            {facts.flatMap(({ page, quote, value, ...fact }, index) =>
              fact.topic === topic ? (
                // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a reading never change
                <li key={index}>
                  <span className="xs muted">{t`The document says, p. ${page}`}</span>{' '}
                  {value && <b className="num">{valueText(value)}</b>}
                  <q lang={langOf(quote)}>{quote}</q>
                </li>
              ) : (
                []
              ),
            )}
          </ul>
        </section>
      ))}
      {hasText && !boq && facts.length === 0 && (
        <p className="s">{t`None of the usual lines, such as EMD or documents, was found in the text that could be read.`}</p>
      )}
      {hasText && (
        <p className="xs muted">
          {t`Lines are copied from the documents by a program, which can miss some. The document itself decides.`}
        </p>
      )}
    </>
  );
}
