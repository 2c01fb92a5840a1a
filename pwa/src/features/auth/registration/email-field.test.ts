import { act } from 'preact/test-utils';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test } from 'vitest';
import { useForm } from '../../../ui/form/useForm.ts';
import { EmailField } from './EmailField.tsx';
import { EMPTY_REGISTRATION, type RegistrationValues } from './registration.ts';

const AWAITING_CODE = { ...EMPTY_REGISTRATION, email: 'asha@builders.example', codeSentAt: Date.now() };

function Probe() {
  return createElement(EmailField, { form: useForm<RegistrationValues>(AWAITING_CODE, { stepOf: () => 1 }) });
}

test('Enter in the code verifies it, and does not submit the step', async () => {
  const page = document.createElement('div');
  document.body.append(page);
  await act(async () => createRoot(page).render(createElement(Probe)));
  const press = (key: string) =>
    page
      .querySelector('[name="otp"]')
      ?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  expect(press('1')).toBe(true);
  await act(async () => expect(press('Enter')).toBe(false));
  expect(page.textContent).toContain('Please enter the OTP');
});
