import { t } from '@lingui/core/macro';
import { type PlaceFilter, parseListQuery } from '@nivida/contract/filter/tender-filter';
import { LANGUAGES, languages } from '@nivida/contract/languages';
import type { Suggestion } from '@nivida/contract/search/suggest-works';
import { MAX_QUERY_CHARACTERS } from '@nivida/contract/tenders/tender';
import { namesSeveral } from '@nivida/contract/tenders/tender-numbers';
import { useRef } from 'react';
import { useNavigate } from 'react-router-dom';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/display/Icon.tsx';
import { Combobox, type ComboboxOption } from '../../ui/form/Combobox.tsx';
import { Field } from '../../ui/form/Field.tsx';
import css from './KeywordsField.module.css';
import { matchingRecentSearches, removeRecentSearch, useOwnRecentSearches } from './recent-searches.ts';
import { useSuggestions } from './useSuggestions.ts';
import { useVoiceInput, type VoiceInput } from './useVoiceInput.ts';

const kindLabels = (): Record<Suggestion['kind'], string | undefined> => ({
  place: t`Place`,
  department: t`Department`,
  work: t`Work`,
  id: t`Tender ID`,
  word: undefined,
});
/** Maximum number of recent searches among the suggestions. */
const MAX_RECENT = 3;

interface KeywordsFieldProps {
  label: string;
  hint?: string;
  placeholder: string;
  value: string;
  /** The place of the search. If its pack is on the device, suggestions come from the pack. */
  within: PlaceFilter;
  onChange: (q: string) => void;
  /** Called with a chosen suggestion, after `onChange`. */
  onChoose?: (q: string) => void;
}

interface KeywordOption extends ComboboxOption {
  /** Set for a recent search: its query. */
  recent?: string;
}

/** Recent searches that continue the text, followed by its completions. */
function useKeywordOptions(value: string, within: PlaceFilter): KeywordOption[] {
  const suggestions = useSuggestions(value, within);
  const searches = useOwnRecentSearches();
  const recent = matchingRecentSearches(searches, value, MAX_RECENT).map(({ query, name }) => ({
    key: `recent ${query}`,
    text: name,
    kind: t`Recent`,
    icon: 'clock' as const,
    recent: query,
    onRemove: () => removeRecentSearch(query),
  }));
  const completions = suggestions.map(({ text, kind }) => ({ key: `${kind} ${text}`, text, kind: kindLabels()[kind] }));
  return [...recent, ...completions];
}

/**
 * The input for words, a place or a tender ID. It has suggestions, and voice input where the browser supports
 * it.
 */
export function KeywordsField(props: KeywordsFieldProps) {
  const { label, hint, placeholder, value, within, onChange, onChoose } = props;
  const navigate = useNavigate();
  const options = useKeywordOptions(value, within);
  const field = useRef<HTMLDivElement>(null);
  const voice = useVoiceInput(
    (text) => onChange(text.slice(0, MAX_QUERY_CHARACTERS)),
    () => field.current?.querySelector('input')?.focus(),
  );

  function choose({ text, recent }: KeywordOption) {
    if (recent !== undefined) {
      onChange(parseListQuery(new URLSearchParams(recent)).q);
      void navigate(`/tenders/results?${recent}`);
      return;
    }
    onChange(text);
    onChoose?.(text);
  }

  return (
    <Field label={label} {...(hint && { hint })}>
      {(control) => (
        <>
          <div
            ref={field}
            className={css.row}
            data-voice={voice !== undefined || undefined}
            onPaste={(event) => {
              const { selectionStart, selectionEnd } = event.target as HTMLInputElement;
              const parts = [
                value.slice(0, selectionStart ?? value.length),
                event.clipboardData.getData('text'),
                value.slice(selectionEnd ?? value.length),
              ];
              const list = parts.filter((part) => part.trim() !== '').join('\n');
              if (parts.join('').length <= MAX_QUERY_CHARACTERS || !namesSeveral(list, location.host)) return;
              // The field would cut an id off.
              event.preventDefault();
              void navigate('/add-tenders', { state: { list } });
            }}
          >
            <Combobox
              control={control}
              type="search"
              name="q"
              placeholder={placeholder}
              maxLength={MAX_QUERY_CHARACTERS}
              enterKeyHint="search"
              value={value}
              options={options}
              listLabel={t`Suggestions`}
              onChange={onChange}
              onChoose={choose}
            />
            {voice && <VoiceButton voice={voice} />}
          </div>
          {voice && <VoiceStatus voice={voice} />}
        </>
      )}
    </Field>
  );
}

function VoiceButton({ voice }: { voice: VoiceInput }) {
  return (
    <Button
      look="icon"
      aria-label={voice.isListening ? t`Stop listening` : t`Speak the search`}
      aria-pressed={voice.isListening}
      disabled={!voice.isOnline && !voice.isListening}
      onClick={() => (voice.isListening ? voice.stop() : voice.start())}
    >
      <Icon name="microphone" />
    </Button>
  );
}

/** The state of voice input: off; listening, or why it failed, with the other languages. */
function VoiceStatus({ voice }: { voice: VoiceInput }) {
  const { isOnline, isListening, language, problem } = voice;
  const needsConnection = t`Voice input needs a connection: the browser sends the sound to its own service.`;
  const state = isListening ? t`Listening in ${LANGUAGES[language].name}…` : problem;
  return (
    <div className={css.voice}>
      <p role="status">{isOnline ? state : needsConnection}</p>
      {isOnline &&
        state &&
        languages()
          .filter((each) => each !== language)
          .map((each) => (
            <Button key={each} look="plain" lang={LANGUAGES[each].locale} onClick={() => voice.start(each)}>
              {LANGUAGES[each].name}
            </Button>
          ))}
      {isOnline && isListening && <p>{needsConnection}</p>}
    </div>
  );
}
