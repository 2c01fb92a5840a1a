import { act } from 'react';
import { expect, test } from 'vitest';
import { type Form, useForm } from '../../../ui/form/useForm.ts';
import { openTestPage } from '../../../ui/test-page.tsx';
import { CompanyFields } from './CompanyFields.tsx';
import { EMPTY_REGISTRATION, type RegistrationValues, validateStep } from './registration.ts';

/** The third step of an empty registration; `values` returns what was entered. */
async function openCompany() {
  let form: Form<RegistrationValues> | undefined;
  function Step() {
    form = useForm<RegistrationValues>({ ...EMPTY_REGISTRATION, step: 3 });
    return (
      <form ref={form.ref}>
        <CompanyFields form={form} />
      </form>
    );
  }
  const page = await openTestPage(<Step />);
  const values = () => form?.values;
  return { page, values, showErrors: () => act(async () => form?.showErrors(validateStep(form.values))) };
}

test('the terms open beside the form, so that a typed password and the consent stay', async () => {
  const { page } = await openCompany();
  const terms = page.page.querySelector('a[href="/terms"]');
  expect([terms?.getAttribute('target'), terms?.getAttribute('rel')]).toEqual(['_blank', 'noopener']);
});

test.each([
  ['companyName', 'Company name', 'Company name is required'],
  ['companyType', 'Company type', 'Company type is required'],
  ['state', 'State', 'State is required'],
])('the field %s has the label "%s" and its own message when it is empty', async (name, label, message) => {
  const { page, showErrors } = await openCompany();
  expect([page.field(label).name, page.errorAt(label)]).toEqual([name, undefined]);
  await showErrors();
  expect(page.errorAt(label)).toBe(message);
});

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
  await page.fill({ 'Company name': 'Verma Builders', 'Company type': 'partnership', State: 'Goa' });
  await page.enter('Address optional', 'The Mall');
  await expect.poll(() => page.texts('fieldset label')).toContain('North Goa');
  await page.toggle('All districts');
  await page.toggle('All departments');
  await page.toggle('I agree to the Terms');
  const [districts, departments] = [...page.page.querySelectorAll('fieldset')].map((list) =>
    [...list.querySelectorAll('label')].slice(1).map(({ textContent }) => textContent),
  );
  expect(departments?.length).toBeGreaterThan(districts?.length ?? 0);
  expect(page.texts('legend')).toEqual([
    `Districts ${districts?.length} chosen`,
    `Departments ${departments?.length} chosen`,
  ]);
  expect(values()).toMatchObject({
    ...{ companyName: 'Verma Builders', companyType: 'partnership', state: 'Goa', address: 'The Mall' },
    ...{ districts, departments, agreeToTerms: true },
  });
});

test('the places of another state are chosen again', async () => {
  const { page, values } = await openCompany();
  await page.enter('State', 'Goa');
  await expect.poll(() => page.texts('fieldset label')).toContain('North Goa');
  await page.toggle('North Goa');
  await page.toggle('South Goa');
  expect(values()?.districts).toEqual(['North Goa', 'South Goa']);
  expect(page.texts('legend')[0]).toBe('Districts 2 chosen');
  await page.toggle('North Goa');
  expect(values()?.districts).toEqual(['South Goa']);
  await page.enter('State', 'Himachal Pradesh');
  await expect.poll(values).toMatchObject({ state: 'Himachal Pradesh', districts: [] });
  await page.toggle('Shimla');
  await page.toggle('PWD');
  await page.enter('State', '');
  expect(values()).toMatchObject({ state: '', districts: [], departments: [] });
  expect(page.texts('fieldset')).toEqual(['Districts Choose a state first', 'Departments Choose a state first']);
});

test('the lists and the consent have their own messages', async () => {
  const { page, showErrors } = await openCompany();
  const messages = () => [
    ...[...page.page.querySelectorAll('fieldset')].map((list) => {
      const id = list.getAttribute('aria-describedby');
      return id ? page.texts(`[id="${id}"]`)[0] : undefined;
    }),
    page.errorAt('I agree to the Terms'),
  ];
  expect(messages()).toEqual([undefined, undefined, undefined]);
  await showErrors();
  expect(messages()).toEqual([
    'At least one district is required',
    'At least one department is required',
    'You must agree to the terms and conditions',
  ]);
  await page.toggle('I agree to the Terms');
  expect(messages()[2]).toBeUndefined();
  await page.enter('Address optional', 'x'.repeat(501));
  await showErrors();
  expect(page.errorAt('Address optional')).toBe('At most 500 characters');
});
