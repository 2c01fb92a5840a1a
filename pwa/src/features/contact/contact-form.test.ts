// @vitest-environment node
import { ContactFormValues } from '@nivida/contract/site/contact';
import { describe, expect, test } from 'vitest';
import { validateForm } from '../../ui/form/useForm.ts';
import { type ContactFields, initialContactFields } from './contact-form.ts';

const RIGHT: ContactFields = {
  name: 'Asha Verma',
  email: 'asha@builders.example',
  phone: '',
  company: '',
  subject: 'Tenders of Kinnaur',
  message: 'Do you also list the works of the forest division?',
  agreeToTerms: true,
};
/** Letters that are two code units each. */
const letters = (count: number) => '𑊠'.repeat(count);

describe('the form', () => {
  test.each<[keyof ContactFields, string | boolean, string]>([
    ['name', ' ', 'Name is required'],
    ['name', letters(1), 'Name must be at least 2 characters'],
    ['name', letters(101), 'Name must be less than 100 characters'],
    ['email', '', 'Email is required'],
    ['email', 'asha@builders', 'Please enter a valid email address'],
    ['phone', '5816012345', 'Please enter a valid 10-digit mobile number'],
    ['phone', '981601234', 'Please enter a valid 10-digit mobile number'],
    ['company', letters(101), 'Company name must be less than 100 characters'],
    ['subject', '', 'Subject is required'],
    ['subject', letters(4), 'Subject must be at least 5 characters'],
    ['subject', letters(201), 'Subject must be less than 200 characters'],
    ['message', '', 'Message is required'],
    ['message', letters(9), 'Message must be at least 10 characters'],
    ['message', letters(1001), 'Message must be less than 1000 characters'],
    ['agreeToTerms', false, 'You must agree to the terms and conditions'],
  ])('with %s "%s" shows: %s', (field, value, message) => {
    expect(validateForm(ContactFormValues, { ...RIGHT, [field]: value })).toEqual({ errors: { [field]: message } });
  });

  test.each<[keyof ContactFields, string]>([
    ['name', letters(2)],
    ['name', letters(100)],
    ['phone', '9816012345'],
    ['company', letters(100)],
    ['subject', letters(5)],
    ['subject', letters(200)],
    ['message', letters(10)],
    ['message', letters(1000)],
  ])('accepts %s at its limit', (field, value) => {
    expect(validateForm(ContactFormValues, { ...RIGHT, [field]: value }).sent).toMatchObject({ [field]: value });
  });
});

test('a signed-in user finds name, e-mail and mobile number filled in', () => {
  const user = { _id: '7', username: 'Asha', email: 'asha@example.in', mobileNo: '+919876543210' };
  expect(initialContactFields(user)).toEqual({
    ...{ name: 'Asha', email: 'asha@example.in', phone: '9876543210' },
    ...{ company: '', subject: '', message: '', agreeToTerms: false },
  });
});

test('a visitor finds an empty form', () => {
  expect(initialContactFields(undefined)).toEqual({
    ...{ name: '', email: '', phone: '', company: '', subject: '', message: '', agreeToTerms: false },
  });
});
