import { t } from '@lingui/core/macro';
import { MAX_DESK_FILE_BYTES } from '@nivida/contract/desk/data-in';
import { type ClipboardEvent, useEffect, useEffectEvent, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { failureText } from '../../../data/server/api.ts';
import { Button } from '../../../ui/Button.tsx';
import { ErrorText, Note } from '../../../ui/feedback/Note.tsx';
import { Field, TextArea } from '../../../ui/form/Field.tsx';
import { FileButton } from '../../../ui/form/FileButton.tsx';
import css from './DataIn.module.css';
import { sendDeskFile } from './data-calls.ts';
import { PAGE_PARAM, pageOfFragment } from './send-page.ts';

const ACCEPT = '.csv,.tsv,.txt,.gz,.xlsx,.xlsm,.ods,.zip,.html,.htm,.mhtml,.mht,.json,.jsonl';

/** The table of a copied selection: its page when it has one, so that titles keep their links, else its text. */
function copiedTable({ clipboardData }: ClipboardEvent): { name: string; file: Blob } | undefined {
  const page = clipboardData.getData('text/html');
  if (/<table[\s>]/i.test(page)) return { name: 'copied.html', file: new Blob([page]) };
  const text = clipboardData.getData('text/plain');
  return text.includes('\t') ? { name: 'copied.txt', file: new Blob([text]) } : undefined;
}

/** Takes a file or a copied table and opens its page. */
export function SendFile() {
  const navigate = useNavigate();
  const { search, hash } = useLocation();
  const [share, setShare] = useState<number>();
  const [failure, setFailure] = useState<string>();
  const [isOver, setIsOver] = useState(false);
  const [isPasting, setIsPasting] = useState(false);
  const isBusy = share !== undefined;

  async function send(name: string, file: Blob, query = ''): Promise<void> {
    if (isBusy) return;
    setFailure(undefined);
    if (file.size === 0) return setFailure(t`This file is empty`);
    if (file.size > MAX_DESK_FILE_BYTES)
      return setFailure(t`The file is too large: at most ${{ limit: MAX_DESK_FILE_BYTES / 1_000_000 }} MB`);
    setShare(0);
    try {
      const id = await sendDeskFile(name, file, setShare);
      await navigate(`/desk/data/${id}${query}`);
    } catch (error) {
      setFailure(failureText(error, t`The file could not be sent`));
    } finally {
      setShare(undefined);
    }
  }

  async function sendPage(): Promise<void> {
    const page = await pageOfFragment(hash);
    const portal = new URLSearchParams(search).get('portal') || 'portal';
    if (page) await send(`${portal}.html`, page, search);
    else setFailure(t`The list of the page did not arrive. Copy it and paste it here.`);
  }

  const drop = useEffectEvent((files: FileList | undefined) => {
    setIsOver(false);
    const file = files?.[0];
    if (file) void send(file.name, file);
  });
  // The whole page takes a file: one that misses the frame would be opened in place of the desk.
  useEffect(() => {
    const events = new AbortController();
    const listen = (name: 'dragover' | 'dragleave' | 'drop', then: (event: DragEvent) => void) =>
      document.addEventListener(name, (event) => event.dataTransfer?.types.includes('Files') && then(event), {
        signal: events.signal,
      });
    listen('dragover', (event) => {
      event.preventDefault();
      setIsOver(true);
    });
    listen('dragleave', () => setIsOver(false));
    listen('drop', (event) => {
      event.preventDefault();
      drop(event.dataTransfer?.files);
    });
    return () => events.abort();
  }, []);

  function paste(event: ClipboardEvent): void {
    const table = copiedTable(event);
    event.preventDefault();
    if (table) void send(table.name, table.file);
    else setFailure(t`What you pasted is no table. Mark the table with its header, copy it, and paste it here.`);
  }

  const percent = Math.round((share ?? 0) * 100);
  return (
    <section className={css.drop} data-over={isOver || undefined} aria-label={t`Send a file`}>
      {new URLSearchParams(hash.slice(1)).has(PAGE_PARAM) && (
        <Note tone="green" icon="document">
          <p>{t`A list came from the page of a portal.`}</p>
          <Button look="main" busy={isBusy} onClick={() => void sendPage()}>{t`Read this list`}</Button>
        </Note>
      )}
      <p>{t`Drop a file here: CSV, Excel, ODS, ZIP, a saved page of a portal, or OCDS.`}</p>
      <div className="row">
        <FileButton accept={ACCEPT} busy={isBusy} onFiles={([file]) => file && void send(file.name, file)}>
          {t`Choose a file`}
        </FileButton>
        <Button aria-expanded={isPasting} onClick={() => setIsPasting(!isPasting)}>{t`Paste a table`}</Button>
      </div>
      {isPasting && (
        <Field label={t`Copied table`} hint={t`with its header`}>
          {(control) => (
            <TextArea {...control} rows={2} autoComplete="off" value="" onPaste={paste} onChange={() => {}} />
          )}
        </Field>
      )}
      {isBusy && <p role="status">{t`${percent} % sent`}</p>}
      <ErrorText text={failure} />
    </section>
  );
}
