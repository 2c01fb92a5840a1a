import * as v from 'valibot';
import { expect, test } from 'vitest';
import { validateForm, withoutFields } from './useForm.ts';

const SCHEMA = v.object({
  name: v.pipe(v.string(), v.trim(), v.nonEmpty('Name is required')),
  code: v.pipe(v.string(), v.minLength(6, 'Too short'), v.regex(/^\d+$/, 'Digits only')),
});

test('each wrong field has its first message', () => {
  expect(validateForm(SCHEMA, { name: ' ', code: 'a' })).toEqual({
    errors: { name: 'Name is required', code: 'Too short' },
  });
});

test('right values are returned as the schema outputs them', () => {
  expect(validateForm(SCHEMA, { name: ' Asha ', code: '123456' })).toEqual({
    sent: { name: 'Asha', code: '123456' },
    errors: {},
  });
});

test('editing a field removes its error and leaves the others', () => {
  expect(withoutFields({ name: 'a', email: 'b', otp: 'c' }, ['email', 'otp'])).toEqual({ name: 'a' });
});
