import { addTexts, setLanguage } from '@nivida/contract/i18n';
import { afterEach, expect, test } from 'vitest';
import { closeTestPages, openTestPage } from '../../ui/test-page.tsx';
import { DepartmentName } from './DepartmentName.tsx';

afterEach(async () => {
  await closeTestPages();
  setLanguage('en');
});

test('in Hindi a known department has its Hindi name below that of the portal, each in its language', async () => {
  addTexts('hi', { 'department: public works': ['लोक निर्माण विभाग'] });
  const show = async (name: string) => (await openTestPage(<DepartmentName name={name} />)).page;
  expect((await show('Public Works Department')).innerHTML).toBe('<span>Public Works Department</span>');
  setLanguage('hi');
  const known = await show('Public Works Department');
  expect(known.querySelector('[lang="en"]')?.textContent).toBe('Public Works Department');
  expect(known.querySelector('small')?.textContent).toBe(' लोक निर्माण विभाग');
  expect((await show('Odisha Mining Corporation')).textContent).toBe('Odisha Mining Corporation');
});
