// @vitest-environment node
import { afterEach, expect, test, vi } from 'vitest';
import { findSpeechRecognizer, listen, type SpeechRecognizer, spokenText, voiceProblem } from './voice-input.ts';

afterEach(() => void vi.unstubAllGlobals());

/** A recognizer as browsers have it; the test speaks. */
class TestRecognizer implements SpeechRecognizer {
  static last: TestRecognizer;
  lang = '';
  interimResults = false;
  onresult: SpeechRecognizer['onresult'] = null;
  onerror: SpeechRecognizer['onerror'] = null;
  onend: SpeechRecognizer['onend'] = null;
  isStarted = false;
  constructor() {
    TestRecognizer.last = this;
  }
  start() {
    this.isStarted = true;
  }
  abort() {
    this.onerror?.({ error: 'aborted' });
    this.onend?.();
  }
}

const heard = (...phrases: string[]) => phrases.map((transcript) => [{ transcript }]);

function start(language: 'en' | 'hi' = 'en') {
  const texts: string[] = [];
  const ends: (string | undefined)[] = [];
  const stop = listen(TestRecognizer, language, {
    onText: (text) => texts.push(text),
    onEnd: (problem) => ends.push(problem),
  });
  return { texts, ends, stop, recognizer: TestRecognizer.last };
}

test.each(['SpeechRecognition', 'webkitSpeechRecognition'])('a browser with %s can listen', (name) => {
  vi.stubGlobal(name, TestRecognizer);
  expect(findSpeechRecognizer()).toBe(TestRecognizer);
});

test('a browser without speech recognition cannot listen', () => {
  expect(findSpeechRecognizer()).toBeUndefined();
});

test('the text of a search follows the speech until it ends', () => {
  const { texts, ends, recognizer } = start('hi');
  expect([recognizer.lang, recognizer.isStarted, recognizer.interimResults]).toEqual(['hi-IN', true, true]);
  recognizer.onresult?.({ results: heard('सड़क') });
  recognizer.onresult?.({ results: heard('सड़क मरम्मत।') });
  recognizer.onend?.();
  expect([texts, ends]).toEqual([['सड़क', 'सड़क मरम्मत'], [undefined]]);
});

test('a microphone that is not allowed ends with a sentence', () => {
  const { texts, ends, recognizer } = start();
  recognizer.onerror?.({ error: 'not-allowed' });
  recognizer.onend?.();
  expect(texts).toEqual([]);
  expect(ends).toEqual([
    'This browser does not allow Nivida to use the microphone. Allow it in the site settings, or type the words.',
  ]);
});

test('speech that is stopped changes the text no more', () => {
  const { texts, ends, stop, recognizer } = start();
  stop();
  recognizer.onresult?.({ results: heard('road') });
  expect([texts, ends]).toEqual([[], []]);
});

test('silence is no text, and the end comes once', () => {
  const { texts, ends, recognizer } = start();
  recognizer.onresult?.({ results: heard(' ') });
  recognizer.onend?.();
  recognizer.onend?.();
  recognizer.onresult?.({ results: heard('road') });
  expect([texts, ends]).toEqual([[], [undefined]]);
});

test('a recognizer that cannot start ends with a sentence', () => {
  class BusyRecognizer extends TestRecognizer {
    override start() {
      throw new Error('recognition has already started');
    }
  }
  const ends: (string | undefined)[] = [];
  listen(BusyRecognizer, 'en', { onText: () => undefined, onEnd: (problem) => ends.push(problem) });
  expect(ends).toEqual(['Speech recognition stopped. Tap the microphone and try again.']);
});

test.each([
  [['Road repair.'], 'Road repair'],
  [['link road ', ' Mandi'], 'link road Mandi'],
  [['Is it open?'], 'Is it open'],
  [['Dr. Ambedkar road!  '], 'Dr. Ambedkar road'],
  [['  '], ''],
  [[], ''],
])('%j is the text "%s"', (phrases, text) => {
  expect(spokenText(heard(...phrases))).toBe(text);
});

test.each([
  ['not-allowed', /^This browser does not allow Nivida to use the microphone\./],
  ['service-not-allowed', /^This browser does not allow speech recognition here\./],
  ['audio-capture', /^No microphone was found\./],
  ['language-not-supported', /^This browser does not recognise this language\./],
])('the error %s has a sentence of its own', (error, sentence) => {
  expect(voiceProblem(error)).toMatch(sentence);
});

test.each([
  ['no-speech', 'Nothing was heard. Tap the microphone and speak again.'],
  ['network', 'Speech recognition needs a connection in this browser. Type the words instead.'],
  ['unheard-of', 'Speech recognition stopped. Tap the microphone and try again.'],
  ['aborted', undefined],
])('the sentence for the error %s is: %s', (error, sentence) => {
  expect(voiceProblem(error)).toBe(sentence);
});
