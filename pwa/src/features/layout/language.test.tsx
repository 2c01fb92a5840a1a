// @vitest-environment-options { "url": "http://localhost/" }
import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readInstantSetting } from '../../data/device/instant-settings.ts';
import { lacksTexts, startLanguage } from '../../data/texts/language.ts';
import { Toasts } from '../../ui/feedback/Toasts.tsx';
import { dismissToast } from '../../ui/feedback/toast.ts';
import { watchFields } from '../../ui/form/entered-text.ts';
import { closeTestPages, openTestPage } from '../../ui/test-page.tsx';
import { followLanguage } from './offer-language.ts';

beforeEach(() => {
  vi.spyOn(navigator, 'language', 'get').mockReturnValue('hi-IN');
});
afterEach(async () => {
  await closeTestPages();
  vi.restoreAllMocks();
  dismissToast();
  localStorage.clear();
});

const OFFER = 'यह ऐप हिन्दी में भी है।';

test('without a connection no language is offered, and it can be offered at the next start', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const { text } = await openTestPage(<Toasts />);
  await act(async () => followLanguage());
  expect([text(), readInstantSetting('language offered')]).toEqual(['', undefined]);
});

test('an offered language does not discard typed text without a question', async () => {
  const { text, press, page } = await openTestPage(<Toasts />);
  page.id = 'root';
  watchFields();
  const field = page.appendChild(document.createElement('input'));
  field.dispatchEvent(new Event('focusin', { bubbles: true }));
  field.value = 'road';
  await act(async () => followLanguage());
  expect(text()).toContain(OFFER);
  await press('हिन्दी');
  expect(text()).toContain('What you typed on this page would be lost.');
  expect(location.pathname).toBe('/');
});

test('a page that a browser translates does not lack its texts', async () => {
  await startLanguage();
  document.documentElement.lang = 'mr';
  expect(lacksTexts()).toBe(false);
});
