/** Voice input of a field: whether it is offered, its language and its state. */
import { currentLanguage } from '@nivida/contract/i18n';
import { type Language, languages } from '@nivida/contract/languages';
import { useEffect, useRef, useState } from 'react';
import { readSetting, writeSetting } from '../../data/device/settings.ts';
import { useHydrated, useOnline } from '../../ui/browser-state.ts';
import { findSpeechRecognizer, listen } from './voice-input.ts';

const LANGUAGE_KEY = 'chosen voice language';

export interface VoiceInput {
  /** False offline, because recognition is an online service of the browser's maker. */
  isOnline: boolean;
  isListening: boolean;
  /** The language in which it listens. */
  language: Language;
  /** A sentence for the user that says why it failed. */
  problem: string | undefined;
  /** Starts listening. A language is remembered as the user's choice. */
  start: (language?: Language) => void;
  stop: () => void;
}

/** Voice input for a field. Undefined where the browser has no speech recognition. */
export function useVoiceInput(onText: (text: string) => void, onEnd: () => void): VoiceInput | undefined {
  const isHydrated = useHydrated();
  const isOnline = useOnline();
  const [chosen, setChosen] = useState<Language>();
  const [isListening, setListening] = useState(false);
  const [problem, setProblem] = useState<string>();
  const stopRecognizer = useRef<() => void>(undefined);
  const handlers = useRef({ onText, onEnd });
  handlers.current = { onText, onEnd };
  const language = chosen ?? currentLanguage();

  useEffect(() => {
    void readSetting(LANGUAGE_KEY).then((stored) =>
      // The user may have chosen one in the meantime.
      setChosen((now) => now ?? languages().find((each) => each === stored)),
    );
    return () => stopRecognizer.current?.();
  }, []);

  useEffect(() => {
    if (isOnline || !isListening) return;
    stopRecognizer.current?.();
    setListening(false);
    handlers.current.onEnd();
  }, [isOnline, isListening]);

  const Recognizer = isHydrated ? findSpeechRecognizer() : undefined;
  if (!Recognizer) return undefined;

  function stop() {
    stopRecognizer.current?.();
    stopRecognizer.current = undefined;
    setListening(false);
  }

  function start(wanted?: Language) {
    if (!Recognizer) return;
    stop();
    setProblem(undefined);
    setListening(true);
    if (wanted) {
      setChosen(wanted);
      void writeSetting(LANGUAGE_KEY, wanted);
    }
    stopRecognizer.current = listen(Recognizer, wanted ?? language, {
      onText: (text) => handlers.current.onText(text),
      onEnd: (sentence) => {
        setListening(false);
        setProblem(sentence);
        handlers.current.onEnd();
      },
    });
  }

  return { isOnline, isListening, language, problem, start, stop };
}
