/** Turns speech into the text of a search, by the browser's own recognition. */
import { t } from '@lingui/core/macro';
import { LANGUAGES, type Language } from '@nivida/contract/languages';

/** The used part of the browser's `SpeechRecognition`, which TypeScript does not declare. */
export interface SpeechRecognizer {
  lang: string;
  interimResults: boolean;
  onresult: ((event: { results: ArrayLike<ArrayLike<{ transcript: string }>> }) => void) | null;
  onerror: ((event: { error: string }) => void) | null;
  onend: (() => void) | null;
  start(): void;
  abort(): void;
}

type SpeechRecognizerClass = new () => SpeechRecognizer;

/** Undefined where the browser has no speech recognition. */
export function findSpeechRecognizer(): SpeechRecognizerClass | undefined {
  const browser = globalThis as { [name in 'SpeechRecognition' | 'webkitSpeechRecognition']?: SpeechRecognizerClass };
  return browser.SpeechRecognition ?? browser.webkitSpeechRecognition;
}

const problems = (): Readonly<Record<string, string>> => ({
  'not-allowed': t`This browser does not allow Nivida to use the microphone. Allow it in the site settings, or type the words.`,
  'service-not-allowed': t`This browser does not allow speech recognition here. Type the words instead.`,
  'audio-capture': t`No microphone was found. Type the words instead.`,
  'no-speech': t`Nothing was heard. Tap the microphone and speak again.`,
  'language-not-supported': t`This browser does not recognise this language. Choose another one, or type the words.`,
  network: t`Speech recognition needs a connection in this browser. Type the words instead.`,
});
const otherProblem = () => t`Speech recognition stopped. Tap the microphone and try again.`;

/** The sentence for an error code of the browser. Undefined when the user stopped the recognition. */
export function voiceProblem(error: string): string | undefined {
  return error === 'aborted' ? undefined : (problems()[error] ?? otherProblem());
}

/** The spoken text without the full stop that recognition adds to sentences. */
export function spokenText(results: ArrayLike<ArrayLike<{ transcript: string }>>): string {
  const text = Array.from(results, (alternatives) => alternatives[0]?.transcript.trim() ?? '').join(' ');
  return text.replace(/\s+/g, ' ').replace(/[\s.।?!]+$/, '');
}

interface VoiceHandlers {
  /** Called with all that was heard so far. */
  onText: (text: string) => void;
  /** Called once, at the end. `problem` is a sentence for the user. */
  onEnd: (problem: string | undefined) => void;
}

/**
 * Listens for one phrase. Returns a function that stops listening; the handlers are not called afterwards.
 */
export function listen(Recognizer: SpeechRecognizerClass, language: Language, handlers: VoiceHandlers): () => void {
  const recognizer = new Recognizer();
  let problem: string | undefined;
  let isOver = false;
  const end = () => {
    if (isOver) return;
    isOver = true;
    handlers.onEnd(problem);
  };
  recognizer.lang = LANGUAGES[language].locale;
  recognizer.interimResults = true;
  recognizer.onresult = ({ results }) => {
    const text = spokenText(results);
    if (!isOver && text !== '') handlers.onText(text);
  };
  recognizer.onerror = ({ error }) => {
    problem = voiceProblem(error);
  };
  recognizer.onend = end;
  try {
    recognizer.start();
  } catch {
    // Another recognition of this browser has not ended yet.
    problem = otherProblem();
    end();
  }
  return () => {
    isOver = true;
    recognizer.abort();
  };
}
