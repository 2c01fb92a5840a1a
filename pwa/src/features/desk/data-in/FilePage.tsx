import { t } from '@lingui/core/macro';
import { type CountFileRequest, DeskFile, type FileColumns } from '@nivida/contract/desk/data-in';
import { type ColumnMapping, mappingProblem, PortalKey } from '@nivida/contract/desk/mapping';
import { formatBytes, formatDateTime } from '@nivida/contract/format';
import { ACCEPTANCES } from '@nivida/contract/ingest/sent-files';
import { stateOptions } from '@nivida/contract/regions/states';
import { useId, useState } from 'react';
import * as v from 'valibot';
import { failureText } from '../../../data/server/api.ts';
import { Button, ButtonLink } from '../../../ui/Button.tsx';
import { Icon } from '../../../ui/display/Icon.tsx';
import { ErrorText, Note } from '../../../ui/feedback/Note.tsx';
import { ChoiceField, Field, Input } from '../../../ui/form/Field.tsx';
import { PageMeta } from '../../../ui/PageMeta.tsx';
import { ActButton } from '../act/ActButton.tsx';
import { DeskAnswer } from '../list/DeskAnswer.tsx';
import { useDeskParam } from '../list/useDeskParam.ts';
import { ColumnList, firstMapping } from './ColumnList.tsx';
import css from './DataIn.module.css';
import { countDeskFile, isBeingRead, useDeskFile, useDeskPortals, useFileColumns } from './data-calls.ts';
import { FileOutcome } from './FileOutcome.tsx';

/** The page of a file: how it is read, what would change, and the import. */
export function FilePage({ id }: { id: string }) {
  const query = useDeskFile(id);
  return (
    <div className="page stack">
      <p className={css.back}>
        <ButtonLink look="plain" to="/desk/data">
          <Icon name="back" /> {t`All files`}
        </ButtonLink>
      </p>
      <DeskAnswer query={query} failure={t`The file could not be loaded`}>
        {(file) => (
          <>
            <PageMeta title={file.name} description={file.name} />
            <h1>{file.name}</h1>
            <p className="s muted">
              {[formatBytes(file.bytes), file.sender, formatDateTime(new Date(file.sentAt))]
                .filter(Boolean)
                .join(' · ')}
            </p>
            {file.isHere && !(file.status === 'done' && !file.isDryRun) && (
              <FileWork file={file} reload={query.reload} />
            )}
            {isBeingRead(file) && <Progress file={file} />}
            {file.endedAt !== null && <FileOutcome file={file} />}
            {!file.isHere && file.endedAt === null && (
              <Note tone="amber" icon="warning">{t`This file did not arrive completely. Send it again.`}</Note>
            )}
          </>
        )}
      </DeskAnswer>
    </div>
  );
}

function Progress({ file: { progress, isDryRun } }: { file: DeskFile }) {
  const { read = 0, all = 0 } = progress ?? {};
  return (
    <p role="status">
      {isDryRun ? t`A worker counts what would change` : t`A worker imports it`}
      {all > 0 && ` · ${t`${read} of ${all} rows`}`}
    </p>
  );
}

/** How a file is read, as a text that is the same for the same settings. */
const settingsText = ({ portal, state, mapping }: Pick<CountFileRequest, 'portal' | 'state' | 'mapping'>) =>
  JSON.stringify([
    portal,
    state,
    mapping && [
      mapping.columns.map(({ column, field, unit }) => [column, field, unit]),
      Object.entries(mapping.fixed).sort(),
      mapping.state,
    ],
  ]);

/** What a count or an import is asked with: portal and state, and the mapping of unknown columns. */
function FileWork({ file, reload }: { file: DeskFile; reload: () => void }) {
  const [chosen, setPortal] = useDeskParam('portal');
  const stated = chosen || (file.portal ?? '');
  // A portal's mapping that has these columns names the portal.
  const unnamed = useFileColumns(stated === '' ? file.id : null, '');
  const portal = stated || (unnamed.answer?.mapping?.portal ?? '');
  const [entered, setTyped] = useState<string>();
  const typed = entered ?? portal;
  // Until another one is chosen; none is a choice, too.
  const [state, setState] = useDeskParam('state', file.state ?? '');
  const portals = useDeskPortals().answer?.rows ?? [];
  const listId = useId();
  const parsed = v.safeParse(PortalKey, typed);
  // While another name is typed, the page keeps what was chosen for this one.
  const named = v.is(PortalKey, portal) ? portal : '';
  const query = useFileColumns(file.id, named);
  const name = () => parsed.success && parsed.output !== portal && setPortal(parsed.output);
  return (
    <>
      <div className={css.options}>
        <Field
          label={t`Portal`}
          hint={t`short name, such as hptenders`}
          error={typed !== '' && !parsed.success ? parsed.issues[0].message : undefined}
        >
          {(control) => (
            <>
              <Input
                {...control}
                list={listId}
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                value={typed}
                onChange={({ target }) => setTyped(target.value)}
                onBlur={name}
                onKeyDown={({ key }) => key === 'Enter' && name()}
              />
              <datalist id={listId}>
                {portals.map((each) => (
                  <option key={each.portal} value={each.portal} />
                ))}
              </datalist>
            </>
          )}
        </Field>
        <ChoiceField
          label={t`State`}
          hint={t`of all rows`}
          value={state}
          empty={t`as the file or its mapping says`}
          options={stateOptions()}
          onChange={({ target }) => setState(target.value)}
        />
      </div>
      <DeskAnswer query={query} failure={t`The columns could not be read`}>
        {(columns) => (
          <FileActs
            // Another portal has another mapping to begin with.
            key={columns.saved?.portal ?? ''}
            file={file}
            columns={columns}
            portal={named}
            state={state}
            onSent={reload}
          />
        )}
      </DeskAnswer>
    </>
  );
}

interface FileActsProps {
  file: DeskFile;
  columns: FileColumns;
  /** '' while it is not named. */
  portal: string;
  state: string;
  onSent: () => void;
}

function FileActs({ file, columns, portal, state, onSent }: FileActsProps) {
  const [edited, setEdited] = useState<ColumnMapping>(() => {
    const { mapping, state: countedState } = file;
    return firstMapping(columns, mapping && file.portal === portal ? { mapping, state: countedState } : undefined);
  });
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const isUnknown = columns.format === null && columns.mapping === null;
  const problem = isUnknown ? mappingProblem(edited) : undefined;
  const isReady = portal !== '' && problem === undefined && !isBeingRead(file);
  const accept = ACCEPTANCES.find((each) => each === file.problem?.code);
  const mapping = isUnknown ? { ...edited, state: state || edited.state } : null;
  const request = { portal, state: state || null, format: 'auto' as const, mapping, accepts: [] };
  // What was found with other settings says nothing about these.
  const isSame = settingsText(request) === settingsText({ ...file, portal: file.portal ?? '' });

  async function count(): Promise<void> {
    setIsBusy(true);
    setFailure(undefined);
    try {
      await countDeskFile(file.id, request);
      onSent();
    } catch (error) {
      setFailure(failureText(error, t`It could not be counted`));
    } finally {
      setIsBusy(false);
    }
  }

  const act = {
    path: `data/files/${file.id}/import`,
    schema: DeskFile,
    done: () => t`A worker imports it`,
    usualReasons: [t`Daily list`, t`List of the association`],
  };
  const label = isUnknown ? t`Save mapping and import` : t`Import`;
  return (
    <>
      {columns.mapping && (
        <Note tone="green" icon="check">
          {t`Read by the mapping of ${{ portal: columns.mapping.portal }}, version ${{ version: columns.mapping.version }}.`}
        </Note>
      )}
      {columns.format !== null && (
        <Note tone="green" icon="check">
          {t`Known as ${{ format: columns.format }}: it needs no mapping.`}
        </Note>
      )}
      {isUnknown && portal !== '' && <ColumnList columns={columns} mapping={edited} onChange={setEdited} />}
      {portal === '' && <p className="s">{t`Name the portal to go on.`}</p>}
      <div className="row">
        <Button busy={isBusy} disabled={!isReady} onClick={() => void count()}>{t`Show what would change`}</Button>
        {isReady && accept === undefined && (
          <ActButton
            {...act}
            label={label}
            look="main"
            title={t`Import ${{ name: file.name }} into ${{ portal }}?`}
            body={request}
          >
            {isUnknown && <p>{t`The next file with these columns needs no mapping.`}</p>}
          </ActButton>
        )}
        {isReady && isSame && accept !== undefined && (
          <ActButton
            {...act}
            label={t`Import all the same`}
            title={
              accept === 'state'
                ? t`Import it although its places lie in another state?`
                : t`Import it although it changes many tenders?`
            }
            // A file may have both problems, and each is found after the other was accepted.
            body={{ ...request, accepts: [...file.accepts, accept] }}
            usualReasons={[t`The portal confirmed it`]}
          />
        )}
      </div>
      {isReady && !isSame && accept !== undefined && (
        <p className="s">{t`The settings differ from those that were checked. Show first what would change.`}</p>
      )}
      <ErrorText text={failure} />
    </>
  );
}
