import { act } from 'react';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { openTestHook, openTestPage } from '../test-page.tsx';
import { type CheckedForm, type Form, LEAVES_PAGE, useForm, validateForm, withoutFields } from './useForm.ts';

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

test('a form has the same reset at each render, so an effect that uses it does not run again', async () => {
  const { results: forms, last } = await openTestHook(() => useForm({ name: '' }));
  act(() => last().change({ name: 'Asha' }));
  const [first] = forms;
  expect(last().values).toEqual({ name: 'Asha' });
  expect(last().reset).toBe(first?.reset);
  act(() => first?.reset({ name: 'Meena' }));
  expect(last().values).toEqual({ name: 'Meena' });
});

describe('a form with fields', () => {
  interface Values {
    name: string;
    code: string;
  }
  const INITIAL: Values = { name: '', code: '' };
  const RIGHT: CheckedForm<Values> = { sent: { name: 'Asha', code: '123456' }, errors: {} };
  const noFailure = () => ({ text: '' });

  /** A form whose fields are marked as wrong by its errors. */
  async function open(options: Parameters<typeof useForm<Values>>[1] = {}, initial = INITIAL, readOnly = '') {
    let form = {} as Form<Values>;
    function Page({ values }: { values: Values }) {
      form = useForm(values, options);
      return (
        <form ref={form.ref}>
          {(['name', 'code'] as const).map((name) => (
            <input
              key={name}
              name={name}
              value={form.values[name]}
              readOnly={readOnly === name}
              aria-invalid={form.errors[name] ? true : undefined}
            />
          ))}
          <button type="submit" id="submit" />
        </form>
      );
    }
    const { page, show } = await openTestPage(<Page values={initial} />);
    const focused = () => {
      const element = document.activeElement as HTMLInputElement | null;
      return page.contains(element) ? element?.name || element?.id : undefined;
    };
    return { form: () => form, render: (values: Values) => show(<Page values={values} />), focused };
  }

  test('shows the errors of a check and focuses the first wrong field, and makes no call', async () => {
    const { form, focused } = await open();
    await act(() =>
      form().submit(validateForm(SCHEMA, { name: 'Asha', code: 'a' }), () => Promise.reject(), noFailure),
    );
    expect([form().errors, form().isBusy, focused()]).toEqual([{ code: 'Too short' }, false, 'code']);
    await act(() => form().submit(validateForm(SCHEMA, { name: '', code: 'a' }), () => Promise.reject(), noFailure));
    expect([form().errors, focused()]).toEqual([{ name: 'Name is required', code: 'Too short' }, 'name']);
  });

  test('is busy during its call under the name of the call, and does not begin a second one', async () => {
    const { form } = await open();
    const call = Promise.withResolvers<unknown>();
    const sent: unknown[] = [];
    const send = (values: unknown) => {
      sent.push(values);
      return call.promise;
    };
    let ended: Promise<void> = Promise.resolve();
    act(() => {
      ended = form().submit(RIGHT, send, noFailure, 'resend');
    });
    expect([form().busy, form().isBusy]).toEqual(['resend', true]);
    await act(() => form().submit(RIGHT, send, noFailure));
    expect(sent).toEqual([{ name: 'Asha', code: '123456' }]);
    await act(async () => {
      call.resolve(undefined);
      await ended;
    });
    expect([form().busy, form().isBusy]).toEqual([null, false]);
  });

  test('shows why a call failed, at the fields or with the focus on its button, until the next change', async () => {
    const { form, focused } = await open();
    const fail = (failure: { text: string; errors?: Record<string, string> }) =>
      act(() =>
        form().submit(
          RIGHT,
          () => Promise.reject(new Error('refused')),
          (error) => ({ ...failure, text: `${failure.text} (${(error as Error).message})` }),
        ),
      );
    await fail({ text: 'Not stored' });
    expect([form().failure, form().errors, form().isBusy, focused()]).toEqual([
      'Not stored (refused)',
      {},
      false,
      'submit',
    ]);
    act(() => form().change({ name: 'Meena' }));
    expect(form().failure).toBe('');
    await fail({ text: '', errors: { code: 'Code is used', name: 'Name is taken' } });
    expect([form().errors, focused()]).toEqual([{ code: 'Code is used', name: 'Name is taken' }, 'name']);
    act(() => form().change({ code: '654321' }));
    expect([form().errors, form().values]).toEqual([{ name: 'Name is taken' }, { name: 'Meena', code: '654321' }]);
    await act(() => form().submit(RIGHT, async () => undefined, noFailure));
    expect([form().errors, form().failure]).toEqual([{}, '']);
  });

  test('stays busy while the browser leaves the page, until it is released', async () => {
    const { form } = await open();
    await act(() => form().submit(RIGHT, async () => LEAVES_PAGE, noFailure));
    expect(form().busy).toBe('submit');
    act(() => form().release());
    expect(form().busy).toBeNull();
  });

  test('shows the error of one field, or removes it, and leaves the focus where it is', async () => {
    const { form, focused } = await open();
    act(() => form().showErrors({ name: 'Name is required', code: 'Too short' }));
    (document.activeElement as HTMLElement).blur();
    act(() => form().showError('code', 'Digits only'));
    expect(form().errors).toEqual({ name: 'Name is required', code: 'Digits only' });
    act(() => form().showError('name', undefined));
    expect([form().errors, focused()]).toEqual([{ code: 'Digits only' }, undefined]);
  });

  test('a field that is edited elsewhere loses its error only', async () => {
    const { form } = await open();
    act(() => form().showErrors({ name: 'Name is required', code: 'Too short' }));
    act(() => form().edited('code'));
    expect(form().errors).toEqual({ name: 'Name is required' });
    expect(form().typed).toEqual({});
  });

  test('keeps what is typed over new initial values, reports each change, and forgets it with a reset', async () => {
    let changes = 0;
    const onChange = () => {
      changes += 1;
    };
    const { form, render } = await open({ typed: () => ({ code: '1' }), onChange });
    expect([form().values, form().typed]).toEqual([{ name: '', code: '1' }, { code: '1' }]);
    act(() => form().change({ code: '12' }));
    expect(changes).toBe(1);
    await render({ name: 'Asha', code: '9' });
    expect(form().values).toEqual({ name: 'Asha', code: '12' });
    act(() => form().showErrors({ code: 'Too short' }));
    act(() => form().reset());
    expect([form().values, form().typed, form().errors]).toEqual([{ name: 'Asha', code: '9' }, {}, {}]);
    expect(changes).toBe(1);
  });

  test('with steps focuses the first empty field that can be typed into, at the start and at each step', async () => {
    const steps = { stepOf: ({ code }: Values) => (code === '' ? 1 : 2) };
    expect((await open(steps, { name: 'Asha', code: '' })).focused()).toBe('code');
    expect((await open(steps, { name: '', code: '' }, 'name')).focused()).toBe('code');
    expect((await open(steps, { name: 'Asha', code: '1' })).focused()).toBe('name');
    expect((await open({}, { name: 'Asha', code: '' })).focused()).toBeUndefined();
    const { form, focused } = await open(steps, { name: '', code: '' });
    expect(focused()).toBe('name');
    (document.activeElement as HTMLElement).blur();
    act(() => form().change({ code: '1' }));
    expect(focused()).toBe('name');
    (document.activeElement as HTMLElement).blur();
    act(() => form().change({ code: '12' }));
    expect(focused()).toBeUndefined();
  });
});
