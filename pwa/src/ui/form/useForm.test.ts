import { createElement } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { type Form, useForm, validateForm, withoutFields } from './useForm.ts';

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

describe('a form in a page', () => {
  test('has the same reset at each render, so an effect that uses it does not run again', () => {
    const forms: Form<{ name: string }>[] = [];
    const TestForm = () => {
      forms.push(useForm({ name: '' }));
      return null;
    };
    const root = createRoot(document.createElement('div'));
    flushSync(() => root.render(createElement(TestForm)));
    flushSync(() => forms.at(-1)?.change({ name: 'Asha' }));
    const [first] = forms;
    const last = forms.at(-1);
    expect(last?.values).toEqual({ name: 'Asha' });
    expect(last?.reset).toBe(first?.reset);
    flushSync(() => first?.reset({ name: 'Meena' }));
    expect(forms.at(-1)?.values).toEqual({ name: 'Meena' });
    root.unmount();
  });
});
