import { plural, t } from '@lingui/core/macro';
import type { ReadFile, TenderFact, TenderReading } from '@nivida/contract/documents/tender-reading';
import { formatAge } from '@nivida/contract/format';
import { type ReactNode, useId, useState } from 'react';
import disclosure from '../../ui/display/Disclosure.module.css';
import { Icon } from '../../ui/display/Icon.tsx';
import { Note } from '../../ui/feedback/Note.tsx';
import { langOf } from '../../ui/words/lang-of.ts';
import css from './DocumentFacts.module.css';
import { FactLine } from './FactLine.tsx';
import { factsByTopic, type TopicFacts } from './fact-groups.ts';
import { fileStateTexts, hasUnreadText, topicLabels } from './fact-labels.ts';

interface DocumentFactsProps {
  reading: TenderReading;
  /** When the reading was fetched. */
  savedAt: Date | null;
  now: Date;
  /** The line that the address names; null without one. */
  target: string | null;
  /** Buttons below an open line: its page, and a report of a wrong line. Null without either. */
  renderActions: (fact: TenderFact, file: ReadFile | undefined) => ReactNode;
}

/** A fold that opens by itself for the line that the address names. */
function Fold({ title, isTarget, children }: { title: string; isTarget: boolean; children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(isTarget);
  return (
    <details
      className={disclosure.disclosure}
      open={isOpen || isTarget}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      <summary>{title}</summary>
      {children}
    </details>
  );
}

/**
 * What the official documents of a tender say: lines by topic, the decisive topics first, and what could not be read.
 */
export function DocumentFacts({ reading, savedAt, now, target, renderActions }: DocumentFactsProps) {
  const { files } = reading;
  const { decisive, other, notFound } = factsByTopic(reading);
  const labels = topicLabels();
  // A page may show several readings.
  const prefix = useId();
  const isFileNamed = new Set(reading.facts.map(({ fileId }) => fileId)).size > 1;
  const has = (groups: readonly TopicFacts[]) =>
    groups.some(({ lines, more }) => [...lines, ...more].some(({ id }) => id === target));
  const renderLine = (fact: TenderFact) => {
    const file = files.find(({ id }) => id === fact.fileId);
    return (
      <li key={fact.id}>
        <FactLine {...{ fact, file, isFileNamed }} isTarget={fact.id === target} actions={renderActions(fact, file)} />
      </li>
    );
  };
  const renderGroup = ({ topic, lines, more }: TopicFacts) => (
    <section key={topic} className={css.topic} aria-labelledby={`${prefix}-${topic}`}>
      <h3 id={`${prefix}-${topic}`}>{labels[topic]}</h3>
      <ul>{lines.map(renderLine)}</ul>
      {more.length > 0 && (
        <Fold
          title={plural(more.length, { one: '# more line', other: '# more lines' })}
          isTarget={more.some(({ id }) => id === target)}
        >
          <ul>{more.map(renderLine)}</ul>
        </Fold>
      )}
    </section>
  );
  return (
    <>
      {decisive.map(renderGroup)}
      {notFound.length > 0 && (
        <p className="s">
          {t`Not found in the text that could be read: ${{ topics: notFound.map((topic) => labels[topic]).join(', ') }}. The document may still ask for it.`}
        </p>
      )}
      {other.length > 0 && (
        <Fold
          title={t`Also in the document: ${{ topics: other.map(({ topic }) => labels[topic]).join(', ') }}`}
          isTarget={has(other)}
        >
          {other.map(renderGroup)}
        </Fold>
      )}
      <FileStates files={files} />
      <p className="xs muted">
        {reading.facts.length > 0 &&
          t`Lines are copied from the documents by a program, which can miss some. The document itself decides.`}
        {savedAt && ` ${t`Loaded ${{ age: formatAge(savedAt, now) }}.`}`}
      </p>
    </>
  );
}

/** What could be read of each file. A file that must be read by the user stands out. */
function FileStates({ files }: { files: readonly ReadFile[] }) {
  const unread = files.filter(hasUnreadText);
  const read = files.filter((file) => !hasUnreadText(file));
  return (
    <>
      {unread.length > 0 && (
        <Note tone="amber" icon="eye">
          <ul className={css.files} aria-label={t`Not read by the program`}>
            {unread.map((file) => (
              <FileState key={file.id} file={file} />
            ))}
          </ul>
        </Note>
      )}
      {read.length > 0 && (
        <ul className={`${css.files} xs muted`} aria-label={t`Files that were read`}>
          {read.map((file) => (
            <FileState key={file.id} file={file} />
          ))}
        </ul>
      )}
    </>
  );
}

function FileState({ file }: { file: ReadFile }) {
  return (
    <li>
      <Icon name="document" small />{' '}
      <span>
        <b lang={langOf(file.name)}>{file.name}</b> {fileStateTexts(file).join(' ')}
        {file.isOwn && ` ${t`Your own file: only you see it.`}`}
      </span>
    </li>
  );
}
