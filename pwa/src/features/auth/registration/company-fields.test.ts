import { act } from 'preact/test-utils';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, expect, test } from 'vitest';
import { openPage } from '../../../ui/form/test-screen.ts';
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

/** The third step of an empty registration; `values` returns what was entered. */
async function openCompany() {
  let form: Form<RegistrationValues> | undefined;
  function Step() {
    form = useForm<RegistrationValues>({ ...EMPTY_REGISTRATION, step: 3 });
    return createElement('form', { ref: form.ref }, createElement(CompanyFields, { form }));
  }
  const page = await openPage(createElement(Step));
  const values = () => {
    const { companyName, companyType, state, districts, departments, address, agreeToTerms } =
      form?.values ?? EMPTY_REGISTRATION;
    return { companyName, companyType, state, districts, departments, address, agreeToTerms };
  };
  return { page, values, showErrors: () => act(async () => form?.showErrors(validateStep(form.values))) };
}

test('each field of the company is the one that is sent', async () => {
  const { page, values } = await openCompany();
  expect([...page.field('Company type').options].map(({ value, text }) => [value, text])).toEqual([
    ['', 'Choose a type'],
    ['private', 'Private Limited'],
    ['public', 'Public Limited'],
    ['partnership', 'Partnership'],
    ['proprietorship', 'Proprietorship'],
  ]);
  expect([...page.field('State').options].map(({ value }) => value)).toHaveLength(37);
  expect(page.texts('fieldset')).toEqual(['Districts Choose a state first', 'Departments Choose a state first']);
  await page.enter('Company name', 'Verma Builders');
  await page.enter('Company type', 'partnership');
  await page.enter('State', 'Goa');
  await page.enter('Address optional', 'The Mall');
  await expect.poll(() => page.texts('fieldset label')).toContain('North Goa');
  await page.toggle('All districts');
  await page.toggle('All departments');
  await page.toggle('I agree to the Terms');
  const [districts, departments] = [...page.frame.querySelectorAll('fieldset')].map((list) =>
    [...list.querySelectorAll('label')].slice(1).map(({ textContent }) => textContent),
  );
  expect(departments?.length).toBeGreaterThan(districts?.length ?? 0);
  expect(page.texts('legend')).toEqual([
    `Districts ${districts?.length} chosen`,
    `Departments ${departments?.length} chosen`,
  ]);
  expect(values()).toEqual({
    ...{ companyName: 'Verma Builders', companyType: 'partnership', state: 'Goa', address: 'The Mall' },
    ...{ districts, departments, agreeToTerms: true },
  });
  await page.close();
});

test('the places of another state are chosen anew', async () => {
  const { page, values } = await openCompany();
  await page.enter('State', 'Goa');
  await expect.poll(() => page.texts('fieldset label')).toContain('North Goa');
  await page.toggle('North Goa');
  await page.toggle('South Goa');
  expect(values().districts).toEqual(['North Goa', 'South Goa']);
  expect(page.texts('legend')[0]).toBe('Districts 2 chosen');
  await page.toggle('North Goa');
  expect(values().districts).toEqual(['South Goa']);
  await page.enter('State', 'Himachal Pradesh');
  await expect.poll(values).toMatchObject({ state: 'Himachal Pradesh', districts: [] });
  await page.toggle('Shimla');
  await page.toggle('PWD');
  await page.enter('State', '');
  expect(values()).toMatchObject({ state: '', districts: [], departments: [] });
  expect(page.texts('fieldset')).toEqual(['Districts Choose a state first', 'Departments Choose a state first']);
  await page.close();
});

test('the lists and the consent have their own messages', async () => {
  const { page, showErrors } = await openCompany();
  const messageOf = (element: Element | null | undefined) => {
    const id = element?.getAttribute('aria-describedby');
    return id ? page.frame.querySelector(`[id="${id}"]`)?.textContent : undefined;
  };
  const messages = () => [
    ...[...page.frame.querySelectorAll('fieldset')].map(messageOf),
    messageOf(page.field('I agree to the Terms')),
  ];
  expect(messages()).toEqual([undefined, undefined, undefined]);
  await showErrors();
  expect(messages()).toEqual([
    'At least one district is required',
    'At least one department is required',
    'You must agree to the terms and conditions',
  ]);
  expect(page.field('I agree to the Terms').getAttribute('aria-invalid')).toBe('true');
  await page.toggle('I agree to the Terms');
  expect(messages()[2]).toBeUndefined();
  await page.enter('Address optional', 'x'.repeat(501));
  await showErrors();
  expect(page.errorAt('Address optional')).toBe('At most 500 characters');
  await page.close();
});
