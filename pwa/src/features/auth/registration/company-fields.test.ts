import { act } from 'preact/test-utils';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, expect, test } from 'vitest';
import { type Form, useForm } from '../../../ui/form/useForm.ts';
import { CompanyFields } from './CompanyFields.tsx';
import { EMPTY_REGISTRATION, type RegistrationValues, validateStep } from './registration.ts';

afterEach(() => document.body.replaceChildren());

/** Renders the third step of an empty registration. */
async function openStep() {
  let form: Form<RegistrationValues> | undefined;
  function Step() {
    form = useForm<RegistrationValues>({ ...EMPTY_REGISTRATION, step: 3 });
    return createElement('form', { ref: form.ref }, createElement(CompanyFields, { form }));
  }
  const page = document.createElement('div');
  document.body.append(page);
  await act(async () => createRoot(page).render(createElement(Step)));
  return { page, showErrors: () => act(async () => form?.showErrors(validateStep(form.values))) };
}

/** The text of the element that a control names in an attribute. */
const describedBy = (page: HTMLElement, name: string) => {
  const id = page.querySelector(`[name="${name}"]`)?.getAttribute('aria-describedby');
  return id ? page.querySelector(`[id="${id}"]`)?.textContent : undefined;
};

test('the terms open beside the form, so that a typed password and the consent stay', async () => {
  const { page } = await openStep();
  const terms = page.querySelector('a[href="/terms"]');
  expect([terms?.getAttribute('target'), terms?.getAttribute('rel')]).toEqual(['_blank', 'noopener']);
});

test.each([
  ['companyName', 'Company name', 'Company name is required'],
  ['companyType', 'Company type', 'Company type is required'],
  ['state', 'State', 'State is required'],
])('the field %s has the label "%s" and its own message when it is empty', async (name, label, message) => {
  const { page, showErrors } = await openStep();
  const control = page.querySelector(`[name="${name}"]`);
  expect(page.querySelector(`label[for="${control?.id}"]`)?.textContent?.trim()).toBe(label);
  expect(describedBy(page, name)).toBeUndefined();
  await showErrors();
  expect(describedBy(page, name)).toBe(message);
});
