/** Voice input of a field: whether it is offered, its language and its state. */
import { currentLanguage } from '@nivida/contract/i18n';
import { useEffect, useRef, useState } from 'react';
import { readSetting, writeSetting } from '../../data/device/settings.ts';
import { useHydrated, useOnline } from '../../ui/browser-state.ts';
import { findSpeechRecognizer, listen, VOICE_LANGUAGES, type VoiceLanguage } from './voice-input.ts';

const LANGUAGE_KEY = 'voice language';

export interface VoiceInput {
  isListening: boolean;
  language: VoiceLanguage;
  /** A sentence for the user that says why it failed. */
  problem: string | undefined;
  /** Starts listening. A language changes the current one. */
  start: (language?: VoiceLanguage) => void;
  stop: () => void;
}

/**
 * Voice input for a field. Undefined where the browser has no speech recognition, and offline, because
 * recognition is an online service of the browser's maker.
 */
export function useVoiceInput(onText: (text: string) => void, onEnd: () => void): VoiceInput | undefined {
  const isHydrated = useHydrated();
  const isOnline = useOnline();
  const [language, setLanguage] = useState<VoiceLanguage>('en-IN');
  const [isListening, setListening] = useState(false);
  const [problem, setProblem] = useState<string>();
  const stopRecognizer = useRef<() => void>(undefined);
  const handlers = useRef({ onText, onEnd });
  handlers.current = { onText, onEnd };

  useEffect(() => {
    void readSetting(LANGUAGE_KEY).then((stored) => {
      const known = VOICE_LANGUAGES.find(({ tag }) => tag === stored);
      if (known) setLanguage(known.tag);
      else if (currentLanguage() === 'hi' || navigator.language.startsWith('hi')) setLanguage('hi-IN');
    });
    return () => stopRecognizer.current?.();
  }, []);

  const Recognizer = isHydrated ? findSpeechRecognizer() : undefined;
  if (!Recognizer || !isOnline) return undefined;

  function stop() {
    stopRecognizer.current?.();
    stopRecognizer.current = undefined;
    setListening(false);
  }

  function start(wanted = language) {
    if (!Recognizer) return;
    stop();
    setProblem(undefined);
    setListening(true);
    setLanguage(wanted);
    void writeSetting(LANGUAGE_KEY, wanted);
    stopRecognizer.current = listen(Recognizer, wanted, {
      onText: (text) => handlers.current.onText(text),
      onEnd: (sentence) => {
        setListening(false);
        setProblem(sentence);
        handlers.current.onEnd();
      },
    });
  }

  return { isListening, language, problem, start, stop };
}
