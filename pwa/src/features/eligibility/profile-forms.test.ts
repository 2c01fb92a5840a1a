import { safeParse } from 'valibot';
import { expect, test } from 'vitest';
import { workForm } from './profile-forms.ts';

test.each([
  ['2026-11-19', undefined],
  ['2026-11-20', undefined],
  ['2026-11-21', 'This day is in the future. Add the work when it is completed.'],
  ['', 'Choose the day'],
])('a work completed on "%s", entered early on 20 November in India: %s', (completedOn, message) => {
  const form = workForm(new Date('2026-11-20T00:30:00+05:30'));
  const { issues } = safeParse(form, { name: 'Road', value: '25,00,000', completedOn });
  expect(issues?.[0].message).toBe(message);
});
