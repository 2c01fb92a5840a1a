import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Badge } from '../../ui/display/Badge.tsx';
import { Spinner } from '../../ui/feedback/Spinner.tsx';
import { Field, Input } from '../../ui/form/Field.tsx';
import { langOf } from '../../ui/words/lang-of.ts';
import { findChoices } from './bid-choices.ts';
import css from './shared-files.module.css';
import { useBidChoices } from './useSharedFiles.ts';

/** More bids are found by their words. */
const MAX_SHOWN = 6;

interface BidChooserProps {
  /** Without it, the file cannot only be read. */
  onOnlyRead?: (() => void) | undefined;
  onChoose: (tenderId: string) => void;
}

/** "To which bid?": the user's bids and bookmarks, the most recently used first. */
export function BidChooser({ onOnlyRead, onChoose }: BidChooserProps) {
  const choices = useBidChoices();
  const [words, setWords] = useState('');
  const found = findChoices(choices ?? [], words);
  return (
    <fieldset className={css.chooser}>
      <legend>{t`To which bid?`}</legend>
      {onOnlyRead && (
        <Button look="main" onClick={onOnlyRead}>
          {t`To none: only read it`}
        </Button>
      )}
      {choices === undefined && <Spinner label={t`Loading your bids`} />}
      {choices && choices.length > MAX_SHOWN && (
        <Field label={t`Search your bids and bookmarks`}>
          {(control) => (
            <Input
              {...control}
              type="search"
              value={words}
              autoComplete="off"
              onChange={({ target }) => setWords(target.value)}
            />
          )}
        </Field>
      )}
      {found.length > 0 && (
        <ul>
          {found.slice(0, MAX_SHOWN).map(({ tenderId, title, isBid }) => (
            <li key={tenderId}>
              <Button onClick={() => onChoose(tenderId)}>
                <span lang={langOf(title)}>{title || t`Tender ${tenderId}`}</span>{' '}
                <Badge tone={isBid ? 'green' : 'purple'}>{isBid ? t`Bid` : t`Bookmark`}</Badge>
              </Button>
            </li>
          ))}
        </ul>
      )}
      {choices && words !== '' && found.length === 0 && (
        <p className="s muted">{t`No bid or bookmark has these words.`}</p>
      )}
      {choices?.length === 0 && (
        <p className="s muted">{t`You have no bids and bookmarks yet. Bookmark a tender to keep documents with it.`}</p>
      )}
    </fieldset>
  );
}
