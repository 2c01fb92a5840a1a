import { t } from '@lingui/core/macro';
import { ChangedKey } from '@nivida/contract/desk/data-in';
import { PortalKey } from '@nivida/contract/desk/mapping';
import { stateOptions } from '@nivida/contract/regions/states';
import { useState } from 'react';
import * as v from 'valibot';
import { Button } from '../../../ui/Button.tsx';
import { copyText } from '../../../ui/feedback/copy-text.ts';
import { Note } from '../../../ui/feedback/Note.tsx';
import { Checkbox } from '../../../ui/form/Checkbox.tsx';
import { ChoiceField, Field, Input } from '../../../ui/form/Field.tsx';
import { ActDialog } from '../act/ActDialog.tsx';
import css from './DataIn.module.css';
import { bookmarkletOf } from './send-page.ts';

/** A new key as `POST /api/import` takes it, and its digest in hex. The server gets the digest only. */
async function makeKey(): Promise<{ key: string; digest: string }> {
  const text = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))));
  const key = `nvk_${text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`;
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(key)));
  return { key, digest: [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('') };
}

interface MadeKey {
  key: string;
  /** The bookmark that sends lists with it; absent for a key of programs. */
  bookmark?: string;
}

/** Makes a key and shows it once, with the bookmark for a key of lists. */
export function NewKey() {
  const [draft, setDraft] = useState<{ key: string; digest: string }>();
  const [name, setName] = useState('');
  const [portal, setPortal] = useState('');
  const [state, setState] = useState('');
  const [isForLists, setIsForLists] = useState(true);
  const [made, setMade] = useState<MadeKey>();
  const parsed = v.safeParse(PortalKey, portal);
  const bookmarkOf = (key: string) =>
    bookmarkletOf({
      origin: location.origin,
      key,
      portal: parsed.success ? parsed.output : '',
      state,
      texts: {
        none: t`This page has no list of tenders.`,
        sent: t`Sent. Read / new:`,
        failed: t`It was not imported:`,
        blocked: t`The portal allows no call, and the browser did not open the desk. Allow windows for this page and try again.`,
      },
    });
  return (
    <>
      <Button
        onClick={() => {
          setMade(undefined);
          void makeKey().then(setDraft);
        }}
      >{t`New key`}</Button>
      {draft && (
        <ActDialog
          label={t`Make the key`}
          title={t`A new key`}
          path="data/keys"
          body={{
            name,
            portal: portal.trim() === '' ? null : portal,
            lists_only: isForLists,
            key_sha256: draft.digest,
          }}
          schema={ChangedKey}
          done={() => t`The key is made`}
          onDone={() =>
            setMade({ key: draft.key, ...(isForLists && parsed.success && { bookmark: bookmarkOf(draft.key) }) })
          }
          onClose={() => setDraft(undefined)}
        >
          <Field label={t`Name of the key`} hint={t`who uses it`}>
            {(control) => (
              <Input {...control} maxLength={100} value={name} onChange={({ target }) => setName(target.value)} />
            )}
          </Field>
          <Field
            label={t`Portal`}
            hint={isForLists ? t`short name, such as hptenders` : t`empty: any`}
            error={portal !== '' && !parsed.success ? parsed.issues[0].message : undefined}
          >
            {(control) => (
              <Input
                {...control}
                autoCapitalize="none"
                spellCheck={false}
                value={portal}
                onChange={({ target }) => setPortal(target.value)}
              />
            )}
          </Field>
          <Checkbox checked={isForLists} onChange={({ target }) => setIsForLists(target.checked)}>
            {t`For a bookmark that sends the list on the screen`}
          </Checkbox>
          {isForLists && (
            <ChoiceField
              label={t`State`}
              hint={t`of all rows`}
              value={state}
              empty={t`as the file says`}
              options={stateOptions()}
              onChange={({ target }) => setState(target.value)}
            />
          )}
        </ActDialog>
      )}
      {made && <MadeKeyNote made={made} />}
    </>
  );
}

/** The key, which nothing shows again. */
function MadeKeyNote({ made: { key, bookmark } }: { made: MadeKey }) {
  return (
    <Note tone="green" icon="check" alert>
      <p>{t`This key is not shown again:`}</p>
      <p>
        <code className={css.key}>{key}</code>
      </p>
      <div className="row">
        <Button onClick={() => copyText(key)}>{t`Copy the key`}</Button>
        {bookmark !== undefined && <Button onClick={() => copyText(bookmark)}>{t`Copy the bookmark`}</Button>}
      </div>
      {bookmark !== undefined && (
        <p>
          {t`Drag this link to the bookmarks, then open a list of the portal and choose the bookmark:`}{' '}
          {/* React removes the address of a bookmark, so it is set on the element. */}
          <a href="#bookmark" ref={(link) => void link?.setAttribute('href', bookmark)}>{t`Send this list`}</a>
        </p>
      )}
    </Note>
  );
}
