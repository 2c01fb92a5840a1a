import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Boq } from '@nivida/contract/documents/boq';
import type { OwnReading } from '@nivida/contract/documents/tender-reading';
import { compareFilledCopy } from '@nivida/contract/rates/filled-copy';
import { type DragEvent, useState } from 'react';
import { failureText } from '../../data/server/api.ts';
import { Button } from '../../ui/Button.tsx';
import { useOnline } from '../../ui/browser-state.ts';
import { Panel } from '../../ui/display/Panel.tsx';
import { Note } from '../../ui/feedback/Note.tsx';
import { FileButton } from '../../ui/form/FileButton.tsx';
import css from './Boq.module.css';
import { agreeText, findingText, isTemplateFinding, unreadText } from './boq-texts.ts';
import { readOwnFile } from './read-own-file.ts';

interface FilledCopyPanelProps {
  original: Boq;
  rates: ReadonlyMap<number, string>;
  percent: string | null;
  isSignedIn: boolean;
}

/** Findings that are shown before "Show all". */
const SHOWN_FINDINGS = 20;

function Findings({ original, filled, rates, percent }: Omit<FilledCopyPanelProps, 'isSignedIn'> & { filled: Boq }) {
  const [isAll, setIsAll] = useState(false);
  const { findings, agreeing } = compareFilledCopy(original, filled, { rates, percent });
  if (findings.length === 0)
    return (
      <Note tone="green" icon="check">
        {agreeText(agreeing)}
      </Note>
    );
  const shown = isAll ? findings : findings.slice(0, SHOWN_FINDINGS);
  return (
    <>
      {findings.some(isTemplateFinding) && (
        <Note tone="red" icon="warning" alert>
          {t`The template was changed: the portal refuses such a file.`}
        </Note>
      )}
      <ul className={css.findings}>
        {shown.map((finding) => (
          <li key={`${finding.kind} ${finding.row} ${finding.kind === 'changed' ? finding.part : ''}`}>
            {findingText(finding)}
          </li>
        ))}
      </ul>
      {shown.length < findings.length && (
        <Button onClick={() => setIsAll(true)}>
          {plural(findings.length, { one: 'Show the # difference', other: 'Show all # differences' })}
        </Button>
      )}
    </>
  );
}

type CheckState = { is: 'none' | 'busy' } | { is: 'failed'; text: string } | { is: 'read'; reading: OwnReading };

/** Compares the workbook that the user filled for the portal with the original and with his rates. */
export function FilledCopyPanel({ original, rates, percent, isSignedIn }: FilledCopyPanelProps) {
  const [state, setState] = useState<CheckState>({ is: 'none' });
  const isOnline = useOnline();
  const check = async ([file]: readonly File[]) => {
    if (!file) return;
    setState({ is: 'busy' });
    try {
      setState({ is: 'read', reading: await readOwnFile(file) });
    } catch (error) {
      setState({ is: 'failed', text: failureText(error, t`The file could not be read`) });
    }
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    if (isOnline && isSignedIn) void check([...event.dataTransfer.files]);
  };
  return (
    <Panel aria-labelledby="filled-copy" stack onDragOver={(event) => event.preventDefault()} onDrop={onDrop}>
      <h2 id="filled-copy">{t`Check the filled file`}</h2>
      <p className="s">
        <Trans>
          Choose the workbook that you filled for the portal. It is compared cell by cell with the original and with
          your rates. Nivida never writes the portal's file.
        </Trans>
      </p>
      {!isSignedIn && <p className="s muted">{t`Sign in to check a file.`}</p>}
      {isSignedIn && !isOnline && <p className="s muted">{t`You are offline: this needs a connection.`}</p>}
      {isSignedIn && isOnline && (
        <div>
          <FileButton accept=".xls,.xlsx,.xlsm" busy={state.is === 'busy'} onFiles={(files) => void check(files)}>
            {t`Choose the filled file`}
          </FileButton>
        </div>
      )}
      {state.is === 'failed' && (
        <Note tone="red" icon="warning" alert>
          {state.text}
        </Note>
      )}
      {state.is === 'read' && (
        <div role="status" className="stack">
          <p className="s">{state.reading.name}</p>
          {state.reading.boq ? (
            <Findings original={original} filled={state.reading.boq} rates={rates} percent={percent} />
          ) : (
            <Note tone="amber" icon="warning">
              {unreadText(state.reading.state) ?? t`This file is no BOQ.`}
            </Note>
          )}
        </div>
      )}
    </Panel>
  );
}
