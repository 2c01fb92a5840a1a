import 'fake-indexeddb/auto';
import { setLanguage } from '@nivida/contract/i18n';
import { act, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openTestPage } from '../../ui/test-page.tsx';
import { KeywordsField } from './KeywordsField.tsx';
import type { SpeechRecognizer } from './voice-input.ts';

/** A recognizer as browsers have it; the test speaks. */
class TestRecognizer implements SpeechRecognizer {
  static last: TestRecognizer;
  lang = '';
  interimResults = false;
  onresult: SpeechRecognizer['onresult'] = null;
  onerror: SpeechRecognizer['onerror'] = null;
  onend: SpeechRecognizer['onend'] = null;
  constructor() {
    TestRecognizer.last = this;
  }
  start() {}
  abort() {}
  hear(transcript: string) {
    act(() => this.onresult?.({ results: [[{ transcript }]] }));
  }
  end(error?: string) {
    act(() => {
      if (error) this.onerror?.({ error });
      this.onend?.();
    });
  }
}

const NEEDS_CONNECTION = 'Voice input needs a connection: the browser sends the sound to its own service.';

beforeEach(() => void vi.stubGlobal('SpeechRecognition', TestRecognizer));
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  setLanguage('en');
});

function Search() {
  const [words, setWords] = useState('');
  return (
    <KeywordsField
      label="Words"
      placeholder=""
      value={words}
      within={{ state: '', districts: [], departments: [], q: '', literal: null }}
      onChange={setWords}
    />
  );
}

const open = () => openTestPage(<Search />);

test('what is spoken comes into the field, where it can be corrected', async () => {
  const { press, field, fill, texts, button } = await open();
  await press('Speak the search');
  expect(TestRecognizer.last.lang).toBe('en-IN');
  expect(button('Stop listening').getAttribute('aria-pressed')).toBe('true');
  expect(texts('[role="status"]')).toContain('Listening in English…');
  TestRecognizer.last.hear('rode repair');
  TestRecognizer.last.end();
  expect(field('Words').value).toBe('rode repair');
  expect(document.activeElement).toBe(field('Words'));
  await fill({ Words: 'road repair' });
  expect(field('Words').value).toBe('road repair');
});

test('while it listens it says that the browser sends the sound to a service', async () => {
  const { press, text } = await open();
  expect(text()).not.toContain(NEEDS_CONNECTION);
  await press('Speak the search');
  expect(text()).toContain(NEEDS_CONNECTION);
});

test('without a connection it is off, and says why', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const { button, texts } = await open();
  expect(button('Speak the search').disabled).toBe(true);
  expect(texts('[role="status"]')).toContain(NEEDS_CONNECTION);
});

test('when the connection is lost it stops, and the focus goes to the field', async () => {
  const { press, field, button } = await open();
  await press('Speak the search');
  button('Stop listening').focus();
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  await act(async () => window.dispatchEvent(new Event('offline')));
  expect(document.activeElement).toBe(field('Words'));
  expect(button('Speak the search').disabled).toBe(true);
});

test('after a language that the browser does not recognise another one can be chosen', async () => {
  const { press, hasButton } = await open();
  await press('Speak the search');
  TestRecognizer.last.end('language-not-supported');
  expect(hasButton('हिन्दी')).toBe(true);
});

test.each([
  ['not-allowed', 'This browser does not allow Nivida to use the microphone.'],
  ['no-speech', 'Nothing was heard.'],
  ['network', 'Speech recognition needs a connection in this browser.'],
])('after the error %s it says: %s', async (error, sentence) => {
  const { press, text, hasButton } = await open();
  await press('Speak the search');
  TestRecognizer.last.end(error);
  expect(text()).toContain(sentence);
  expect(hasButton('Speak the search')).toBe(true);
});

test('a browser without speech recognition has no microphone', async () => {
  vi.stubGlobal('SpeechRecognition', undefined);
  expect((await open()).hasButton('Speak the search')).toBe(false);
});

test('it listens in the language of the app, and in the other one when that is chosen', async () => {
  setLanguage('hi');
  const hindi = await open();
  await hindi.press('Speak the search');
  expect(TestRecognizer.last.lang).toBe('hi-IN');
  await hindi.press('English');
  expect(TestRecognizer.last.lang).toBe('en-IN');
  await hindi.close();
  const again = await open();
  const listenAgain = async () => {
    if (again.hasButton('Stop listening')) await again.press('Stop listening');
    await again.press('Speak the search');
    return TestRecognizer.last.lang;
  };
  // The choice is read from the device.
  await expect.poll(listenAgain).toBe('en-IN');
});

/** A field, and a function that pastes into it and says whether the app has taken the text. */
async function openForPaste() {
  const page = await openTestPage(
    <>
      <Search />
      <PassedList />
    </>,
  );
  const paste = (text: string) => {
    const event = new Event('paste', { bubbles: true, cancelable: true });
    Object.assign(event, { clipboardData: { getData: () => text } });
    act(() => void page.field('Words').dispatchEvent(event));
    return event.defaultPrevented;
  };
  return { ...page, paste };
}

/** The list that the field passes to the page of lists. */
const PassedList = () => <pre>{useLocation().state?.list}</pre>;

test('a pasted list of ids that does not fit into the field opens as a list', async () => {
  const { address, page, paste } = await openForPaste();
  expect(page.querySelectorAll('input')).toHaveLength(1);
  expect(paste('2026_PWD_1_1\n2026_PWD_2_1')).toBe(false);
  expect(paste('a road '.repeat(30))).toBe(false);
  expect(paste(Array.from({ length: 12 }, (_, at) => `2026_PWD_${at}_1`).join('\n'))).toBe(true);
  expect(address()).toBe('/add-tenders');
});

test('an id that does not fit behind those in the field opens as a list with them', async () => {
  const { address, fill, page, paste } = await openForPaste();
  const ids = Array.from({ length: 7 }, (_, at) => `2026_PWD_${at}_1`);
  await fill({ Words: `${ids.join(' ')} ` });
  expect(paste('2026_PWD_7_1')).toBe(true);
  expect(address()).toBe('/add-tenders');
  expect(page.querySelector('pre')?.textContent).toBe(`${ids.join(' ')} \n2026_PWD_7_1`);
});
