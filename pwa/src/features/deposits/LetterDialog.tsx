import { t } from '@lingui/core/macro';
import { currentLanguage } from '@nivida/contract/i18n';
import { LANGUAGES, type Language, languages } from '@nivida/contract/languages';
import { type ReactNode, useState } from 'react';
import { loadLanguage } from '../../data/texts/language.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Icon } from '../../ui/display/Icon.tsx';
import { showToast } from '../../ui/feedback/toast.ts';
import { ChoiceField } from '../../ui/form/Field.tsx';
import css from './Letter.module.css';
import { type LetterFacts, returnLetter } from './return-letter.ts';

interface LetterDialogProps {
  facts: LetterFacts;
  now: Date;
  /** Renders the button that copies or shares a text. */
  renderCopy: (label: string, makeText: () => string) => ReactNode;
  onClose: () => void;
}

/** A letter that asks for money, to share, copy or print. The app itself sends nothing. */
export function LetterDialog({ facts, now, renderCopy, onClose }: LetterDialogProps) {
  const [language, setLanguage] = useState(currentLanguage());

  async function choose(chosen: Language) {
    try {
      await loadLanguage(chosen);
      setLanguage(chosen);
    } catch {
      const { name } = LANGUAGES[chosen];
      showToast({ text: t`${name}: this language is not on the phone yet and needs a connection.` });
    }
  }

  const text = returnLetter(facts, language, now);
  return (
    <Dialog title={t`Letter to the office`} onClose={onClose}>
      <ChoiceField
        label={t`Language`}
        value={language}
        onChange={({ target }) => void choose(target.value as Language)}
      >
        {languages().map((each) => (
          <option key={each} value={each} lang={each}>
            {LANGUAGES[each].name}
          </option>
        ))}
      </ChoiceField>
      <p className="xs muted">{t`Check it and fill in the lines. The app sends nothing to the office.`}</p>
      <div className="row">
        {renderCopy(t`Share or copy`, () => text)}
        <Button look="plain" onClick={() => print()}>
          <Icon name="document" small /> {t`Print`}
        </Button>
      </div>
      <div className={css.letter} lang={language}>
        {text}
      </div>
    </Dialog>
  );
}
