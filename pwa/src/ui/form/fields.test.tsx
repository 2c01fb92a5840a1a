import type { ComponentProps } from 'react';
import { act } from 'react';
import { describe, expect, test, vi } from 'vitest';
import { openTestPage } from '../test-page.tsx';
import { Checkbox, CheckboxList } from './Checkbox.tsx';
import { CodeInput, ControlGroup, Field, Input, Select, TextArea } from './Field.tsx';
import { PasswordField, TextField } from './FormFields.tsx';
import { PasswordInput } from './PasswordInput.tsx';
import { Steps } from './Steps.tsx';
import { type Form, useForm } from './useForm.ts';

describe('a field', () => {
  const open = async (props: { hint?: string; error?: string }) => {
    const opened = await openTestPage(
      <Field label="Price" {...props}>
        {(control) => <Input {...control} name="price" />}
      </Field>,
    );
    return { ...opened, input: opened.page.querySelector('input') };
  };

  test('is named by its label, and its hint is beside it', async () => {
    const { field, input, texts } = await open({ hint: 'optional' });
    expect(field('Price optional')).toBe(input);
    expect(texts('small')).toEqual(['optional']);
    expect([input?.name, input?.getAttribute('aria-invalid'), input?.getAttribute('aria-describedby')]).toEqual([
      'price',
      null,
      null,
    ]);
    expect(texts('p')).toEqual([]);
    expect((await open({})).texts('small')).toEqual([]);
  });

  test('with an error is marked as wrong and described by it', async () => {
    const { errorAt, input, page } = await open({ error: 'Enter a price' });
    expect(errorAt('Price')).toBe('Enter a price');
    expect(page.querySelector('p')?.id).not.toBe(input?.id);
  });

  test('an empty error is none', async () => {
    const { input, texts } = await open({ error: '' });
    expect(input?.hasAttribute('aria-invalid')).toBe(false);
    expect(texts('p')).toEqual([]);
  });
});

test('a code takes what is typed or pasted, and asks the phone for the code of a message', async () => {
  const codes: string[] = [];
  const { field, enter } = await openTestPage(
    <CodeInput code="12" onCode={(code) => codes.push(code)} name="otp" aria-label="Code" />,
  );
  const input = field('Code');
  expect([input.value, input.name, input.inputMode, input.getAttribute('autocomplete'), input.dataset.look]).toEqual([
    '12',
    'otp',
    'numeric',
    'one-time-code',
    'code',
  ]);
  for (const text of ['40 29-17', '40291799', 'abc']) await enter('Code', text);
  expect(codes).toEqual(['40 29-17', '40291799', 'abc']);
});

test('a select shows a short text for the chosen option to the eye only', async () => {
  const select = (short?: string) => (
    <Select name="state" short={short}>
      <option value="uk">Uttarakhand</option>
    </Select>
  );
  const { page, texts, text, show } = await openTestPage(select('UK'));
  expect(page.querySelector('select')?.name).toBe('state');
  expect(page.querySelector('select')?.hasAttribute('data-short')).toBe(true);
  expect(texts('span[aria-hidden="true"]')).toEqual(['UK']);
  await show(select());
  expect(page.querySelector('select')?.hasAttribute('data-short')).toBe(false);
  expect(text()).toBe('Uttarakhand');
});

test('a text area and a group show what they get', async () => {
  const { page, text } = await openTestPage(
    <ControlGroup>
      <TextArea name="message" rows={4} />
      beside it
    </ControlGroup>,
  );
  const area = page.querySelector('textarea');
  expect([area?.name, area?.getAttribute('rows'), text()]).toEqual(['message', '4', 'beside it']);
});

test('a password is hidden until its button shows it, and is never corrected by the phone', async () => {
  const { field, button, names, press } = await openTestPage(
    <PasswordInput name="password" defaultValue="quiet-river" aria-label="Password" />,
  );
  const input = field('Password');
  expect([input.name, input.type, button('Show password').type]).toEqual(['password', 'password', 'button']);
  expect(['autocapitalize', 'autocorrect', 'spellcheck'].map((name) => input.getAttribute(name))).toEqual([
    'none',
    'off',
    'false',
  ]);
  await press('Show password');
  expect([input.type, names()]).toEqual(['text', ['Hide password']]);
  await press('Hide password');
  expect([input.type, names()]).toEqual(['password', ['Show password']]);
});

test('a checkbox is named by its text', async () => {
  const onChange = vi.fn();
  const { field, toggle } = await openTestPage(
    <Checkbox name="terms" onChange={onChange}>
      I agree
    </Checkbox>,
  );
  expect([field('I agree').type, field('I agree').name]).toEqual(['checkbox', 'terms']);
  await toggle('I agree');
  expect(onChange).toHaveBeenCalledOnce();
});

describe('a list of checkboxes', () => {
  const ALL = ['Kullu', 'Mandi', 'Solan'];
  const open = async (props: Partial<ComponentProps<typeof CheckboxList>>) => {
    const chosen: string[][] = [];
    const opened = await openTestPage(
      <CheckboxList
        legend="Districts"
        options={ALL}
        chosen={['Solan']}
        empty="Choose a state first."
        onChange={(names) => void chosen.push(names)}
        {...props}
      />,
    );
    const boxes = () => [...opened.page.querySelectorAll('input')];
    return { ...opened, chosen, boxes, checked: () => boxes().map((box) => box.checked) };
  };

  test('shows what is chosen and how many, and keeps the order of the options', async () => {
    const { texts, toggle, checked, chosen } = await open({});
    expect([texts('legend'), texts('li')]).toEqual([['Districts 1 chosen'], ALL]);
    expect(checked()).toEqual([false, false, true]);
    await toggle('Kullu');
    await toggle('Solan');
    expect(chosen).toEqual([['Kullu', 'Solan'], []]);
    expect((await open({ chosen: [] })).texts('legend')).toEqual(['Districts']);
  });

  test('has one box for all, which is on when each is', async () => {
    const some = await open({ all: 'All districts' });
    expect(some.texts('li')[0]).toBe('All districts');
    expect(some.checked()).toEqual([false, false, false, true]);
    await some.toggle('All districts');
    expect(some.chosen).toEqual([ALL]);
    const all = await open({ all: 'All districts', chosen: ALL });
    expect(all.checked()).toEqual([true, true, true, true]);
    await all.toggle('All districts');
    expect(all.chosen).toEqual([[]]);
  });

  test('with an error marks its boxes and is described by it', async () => {
    const { page, boxes } = await open({ error: 'Choose one', all: 'All' });
    const described = page.querySelector('fieldset')?.getAttribute('aria-describedby');
    expect(page.querySelector(`#${described}`)?.textContent).toBe('Choose one');
    expect(boxes().map((box) => box.getAttribute('aria-invalid'))).toEqual(Array(4).fill('true'));
    expect(page.querySelector('ul')?.hasAttribute('data-invalid')).toBe(true);
    const right = await open({});
    expect(right.page.querySelector('fieldset')?.hasAttribute('aria-describedby')).toBe(false);
    expect(right.boxes().map((box) => box.getAttribute('aria-invalid'))).toEqual([null, null, null]);
  });

  test('without options says why', async () => {
    const { page, text } = await open({ options: [], chosen: [], all: 'All districts' });
    expect(page.querySelector('ul')).toBeNull();
    expect(text()).toBe('Districts Choose a state first.');
  });
});

test('the steps of a form name the present one and mark those before it', async () => {
  const { page } = await openTestPage(<Steps names={['You', 'Company', 'Password']} current={2} />);
  expect(page.querySelector('ol')?.getAttribute('aria-label')).toBe('Steps');
  expect(
    [...page.querySelectorAll('li')].map((step) => [
      step.textContent,
      step.getAttribute('aria-current'),
      step.hasAttribute('data-done'),
    ]),
  ).toEqual([
    ['1. You', null, true],
    ['2. Company', 'step', true],
    ['3. Password', null, false],
  ]);
});

describe('the fields of a form', () => {
  interface Values {
    name: string;
    mobile: string;
    password: string;
  }
  const NAME = 'Name as on the card';
  const PASSWORD = 'Password 8 characters';
  let form: Form<Values>;

  function Page({ readOnly }: { readOnly?: boolean }) {
    form = useForm<Values>({ name: 'Asha', mobile: '', password: '' });
    return (
      <form ref={form.ref}>
        <TextField<keyof Values> form={form} name="name" label="Name" hint="as on the card" readOnly={readOnly} />
        <TextField<keyof Values>
          form={form}
          name="mobile"
          label="Mobile"
          inputMode="tel"
          normalise={(text) => text.replace(/\D/g, '')}
          renderInput={(input) => <span className="group">+91{input}</span>}
        />
        <PasswordField<keyof Values> form={form} name="password" label="Password" hint="8 characters" />
        <button type="submit">Save</button>
      </form>
    );
  }

  async function open() {
    const opened = await openTestPage(<Page />);
    const fields = () => [NAME, 'Mobile', PASSWORD].map(opened.field);
    return { ...opened, fields, readOnly: () => fields().map(({ readOnly }) => readOnly) };
  }

  test('show the values, and change them as they are typed', async () => {
    const { page, texts, field, fields, fill } = await open();
    expect(texts('label')).toEqual([NAME, 'Mobile', PASSWORD]);
    expect(fields()).toEqual([...page.querySelectorAll('input')]);
    expect(fields().map(({ name, value, readOnly }) => [name, value, readOnly])).toEqual([
      ['name', 'Asha', false],
      ['mobile', '', false],
      ['password', '', false],
    ]);
    await fill({ Mobile: '98160-12345', [PASSWORD]: ' quiet river ' });
    expect(form.values).toEqual({ name: 'Asha', mobile: '9816012345', password: ' quiet river ' });
    expect(field('Mobile').value).toBe('9816012345');
    expect(texts('.group')).toEqual(['+91']);
    expect(page.querySelector('.group input')).toBe(field('Mobile'));
    expect(field('Mobile').inputMode).toBe('tel');
  });

  test('show their own errors, which typing removes', async () => {
    const { errorAt, field, enter } = await open();
    const errors = () => [NAME, 'Mobile', PASSWORD].map(errorAt);
    act(() => form.showErrors({ mobile: 'Ten digits', password: 'Too short' }));
    expect(errors()).toEqual([undefined, 'Ten digits', 'Too short']);
    expect(document.activeElement).toBe(field('Mobile'));
    await enter('Mobile', '9');
    expect(errors()).toEqual([undefined, undefined, 'Too short']);
  });

  test('are read-only during a call, and a field may always be', async () => {
    const { readOnly, show } = await open();
    const call = Promise.withResolvers<void>();
    let ended: Promise<void> = Promise.resolve();
    act(() => {
      ended = form.submit(
        { sent: {}, errors: {} },
        () => call.promise,
        () => ({ text: '' }),
      );
    });
    expect(readOnly()).toEqual([true, true, true]);
    await act(async () => {
      call.resolve();
      await ended;
    });
    expect(readOnly()).toEqual([false, false, false]);
    await show(<Page readOnly />);
    expect(readOnly()).toEqual([true, false, false]);
  });
});
