import { t } from '@lingui/core/macro';
import type { ListLine } from '@nivida/contract/tenders/tender-list';
import { Button } from '../../ui/Button.tsx';
import { useOnline } from '../../ui/browser-state.ts';
import { Panel } from '../../ui/display/Panel.tsx';
import { copyText } from '../../ui/feedback/copy-text.ts';
import { TextArea } from '../../ui/form/Field.tsx';

/** Lines whose tenders are not known. `isWaiting`: the server has not been asked about all of them. */
export function MissingLines({ lines, isWaiting }: { lines: readonly ListLine[]; isWaiting: boolean }) {
  const isOnline = useOnline();
  return (
    <ListLines
      title={isWaiting ? t`Waiting for a connection` : t`Not found`}
      lines={lines}
      text={
        isWaiting
          ? isOnline
            ? t`These are not in the saved tenders of this phone, and the server does not answer. They are looked up later.`
            : t`These are not in the saved tenders of this phone. They are looked up when you are online.`
          : t`Nivida has no tender with these numbers. Check them at the portal.`
      }
    />
  );
}

/** Lines of the list with a button that copies them. Renders nothing without lines. */
export function ListLines({ title, text, lines }: { title: string; text: string; lines: readonly ListLine[] }) {
  if (lines.length === 0) return null;
  const copied = lines.map((line) => line.text).join('\n');
  return (
    <Panel stack>
      <h2>{title}</h2>
      <p className="s muted">{text}</p>
      <TextArea readOnly aria-label={title} rows={Math.min(6, copied.split('\n').length)} value={copied} />
      <div className="row">
        <Button onClick={() => copyText(copied)}>{t`Copy these lines`}</Button>
      </div>
    </Panel>
  );
}
