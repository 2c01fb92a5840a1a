import { act } from 'preact/test-utils';
import { type ComponentProps, createElement as h, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Checkbox, CheckboxList } from './Checkbox.tsx';
import { CodeInput, ControlGroup, Field, Input, Select, TextArea } from './Field.tsx';
import { PasswordField, TextField } from './FormFields.tsx';
import { PasswordInput } from './PasswordInput.tsx';
import { Steps } from './Steps.tsx';
import { type Form, useForm } from './useForm.ts';

function show(node: ReactNode) {
  const page = document.createElement('div');
  document.body.append(page);
  const root = createRoot(page);
  const update = (next: ReactNode) => act(() => void root.render(next));
  update(node);
  onTestFinished(() => {
    act(() => root.unmount());
    page.remove();
  });
  return { page, update };
}

function type(element: Element | null | undefined, text: string): void {
  const input = element as HTMLInputElement;
  act(() => {
    input.value = text;
    input.dispatchEvent(new Event('input', { bubbles: true }));
  });
}

const click = (element: Element | null | undefined) => act(() => (element as HTMLElement).click());

describe('a field', () => {
  const children: ComponentProps<typeof Field>['children'] = (control) => h(Input, { ...control, name: 'price' });
  const field = (more: { hint?: string; error?: string }) => {
    const props = { label: 'Price', children, ...more };
    return show(h(Field, props)).page;
  };

  test('is named by its label, and its hint is beside it', () => {
    const page = field({ hint: 'optional' });
    const input = page.querySelector('input');
    expect(page.querySelector('label')?.htmlFor).toBe(input?.id);
    expect(page.querySelector('label')?.textContent).toBe('Price optional');
    expect(page.querySelector('small')?.textContent).toBe('optional');
    expect([input?.name, input?.getAttribute('aria-invalid'), input?.getAttribute('aria-describedby')]).toEqual([
      'price',
      null,
      null,
    ]);
    expect(page.querySelector('p')).toBeNull();
    expect(field({}).querySelector('small')).toBeNull();
  });

  test('with an error is marked as wrong and described by it', () => {
    const page = field({ error: 'Enter a price' });
    const input = page.querySelector('input');
    expect(input?.getAttribute('aria-invalid')).toBe('true');
    const described = page.querySelector(`#${input?.getAttribute('aria-describedby')}`);
    expect(described?.textContent).toBe('Enter a price');
    expect(described?.id).not.toBe(input?.id);
  });

  test('an empty error is none', () => {
    const page = field({ error: '' });
    expect(page.querySelector('input')?.hasAttribute('aria-invalid')).toBe(false);
    expect(page.querySelector('p')).toBeNull();
  });
});

test('a code takes six digits of what is typed or pasted, and asks the phone for the code of a message', () => {
  const codes: string[] = [];
  const { page } = show(h(CodeInput, { code: '12', onCode: (code) => codes.push(code), name: 'otp' }));
  const input = page.querySelector('input') as HTMLInputElement;
  expect([input.value, input.name, input.inputMode, input.getAttribute('autocomplete'), input.dataset.look]).toEqual([
    '12',
    'otp',
    'numeric',
    'one-time-code',
    'code',
  ]);
  for (const text of ['40 29-17', '40291799', 'abc']) type(input, text);
  expect(codes).toEqual(['402917', '402917', '']);
});

test('a select shows a short text for the chosen option to the eye only', () => {
  const options = h('option', { value: 'uk' }, 'Uttarakhand');
  const short = show(h(Select, { short: 'UK', name: 'state' }, options)).page;
  expect(short.querySelector('select')?.name).toBe('state');
  expect(short.querySelector('select')?.hasAttribute('data-short')).toBe(true);
  expect(short.querySelector('[aria-hidden="true"]')?.textContent).toBe('UK');
  const plain = show(h(Select, { name: 'state' }, options)).page;
  expect(plain.querySelector('select')?.hasAttribute('data-short')).toBe(false);
  expect(plain.textContent).toBe('Uttarakhand');
});

test('a text area and a group show what they get', () => {
  const { page } = show(h(ControlGroup, null, h(TextArea, { name: 'message', rows: 4 }), 'beside it'));
  const area = page.querySelector('textarea');
  expect([area?.name, area?.getAttribute('rows'), page.textContent]).toEqual(['message', '4', 'beside it']);
});

test('a password is hidden until its button shows it, and is never corrected by the phone', () => {
  const { page } = show(h(PasswordInput, { name: 'password', defaultValue: 'quiet-river' }));
  const input = page.querySelector('input') as HTMLInputElement;
  const button = page.querySelector('button') as HTMLButtonElement;
  expect([input.name, input.type, button.textContent, button.type]).toEqual([
    'password',
    'password',
    'Show password',
    'button',
  ]);
  expect(['autocapitalize', 'autocorrect', 'spellcheck'].map((name) => input.getAttribute(name))).toEqual([
    'none',
    'off',
    'false',
  ]);
  click(button);
  expect([input.type, button.textContent]).toEqual(['text', 'Hide password']);
  click(button);
  expect([input.type, button.textContent]).toEqual(['password', 'Show password']);
});

test('a checkbox is named by its text', () => {
  const onChange = vi.fn();
  const { page } = show(
    h(Checkbox, { name: 'terms', onChange } as unknown as ComponentProps<typeof Checkbox>, 'I agree'),
  );
  const input = page.querySelector('label input') as HTMLInputElement;
  expect([input.type, input.name, page.querySelector('label')?.textContent]).toEqual(['checkbox', 'terms', 'I agree']);
  click(input);
  expect(onChange).toHaveBeenCalledOnce();
});

describe('a list of checkboxes', () => {
  const chosen: string[][] = [];
  const list = (props: Partial<ComponentProps<typeof CheckboxList>>) => {
    chosen.length = 0;
    return show(
      h(CheckboxList, {
        legend: 'Districts',
        options: ['Kullu', 'Mandi', 'Solan'],
        chosen: ['Solan'],
        empty: 'Choose a state first.',
        onChange: (names) => void chosen.push(names),
        ...props,
      }),
    ).page;
  };
  const boxes = (page: Element) => [...page.querySelectorAll('input')];
  const checked = (page: Element) => boxes(page).map((box) => box.checked);

  test('shows what is chosen and how many, and keeps the order of the options', () => {
    const page = list({});
    expect(page.querySelector('legend')?.textContent).toBe('Districts 1 chosen');
    expect([...page.querySelectorAll('li')].map(({ textContent }) => textContent)).toEqual(['Kullu', 'Mandi', 'Solan']);
    expect(checked(page)).toEqual([false, false, true]);
    click(boxes(page)[0]);
    click(boxes(page)[2]);
    expect(chosen).toEqual([['Kullu', 'Solan'], []]);
    expect(list({ chosen: [] }).querySelector('legend')?.textContent).toBe('Districts ');
  });

  test('has one box for all, which is on when each is', () => {
    const some = list({ all: 'All districts' });
    expect(some.querySelector('li')?.textContent).toBe('All districts');
    expect(checked(some)).toEqual([false, false, false, true]);
    click(boxes(some)[0]);
    expect(chosen).toEqual([['Kullu', 'Mandi', 'Solan']]);
    const all = list({ all: 'All districts', chosen: ['Kullu', 'Mandi', 'Solan'] });
    expect(checked(all)).toEqual([true, true, true, true]);
    click(boxes(all)[0]);
    expect(chosen).toEqual([[]]);
  });

  test('with an error marks its boxes and is described by it', () => {
    const page = list({ error: 'Choose one', all: 'All' });
    const described = page.querySelector('fieldset')?.getAttribute('aria-describedby');
    expect(page.querySelector(`#${described}`)?.textContent).toBe('Choose one');
    expect(boxes(page).map((box) => box.getAttribute('aria-invalid'))).toEqual(Array(4).fill('true'));
    expect(page.querySelector('ul')?.hasAttribute('data-invalid')).toBe(true);
    const right = list({});
    expect(right.querySelector('fieldset')?.hasAttribute('aria-describedby')).toBe(false);
    expect(boxes(right).map((box) => box.getAttribute('aria-invalid'))).toEqual([null, null, null]);
  });

  test('without options says why', () => {
    const page = list({ options: [], chosen: [], all: 'All districts' });
    expect(page.querySelector('ul')).toBeNull();
    expect(page.textContent).toBe('Districts Choose a state first.');
  });
});

test('the steps of a form name the present one and mark those before it', () => {
  const { page } = show(h(Steps, { names: ['You', 'Company', 'Password'], current: 2 }));
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
  let form: Form<Values>;

  function Page({ readOnly }: { readOnly?: boolean }) {
    form = useForm<Values>({ name: 'Asha', mobile: '', password: '' });
    return h(
      'form',
      { ref: form.ref },
      h(TextField<keyof Values>, {
        form,
        name: 'name',
        label: 'Name',
        hint: 'as on the card',
        ...(readOnly && { readOnly }),
      }),
      h(TextField<keyof Values>, {
        form,
        name: 'mobile',
        label: 'Mobile',
        inputMode: 'tel',
        normalise: (text: string) => text.replace(/\D/g, ''),
        renderInput: (input: ReactNode) => h('span', { className: 'group' }, '+91', input),
      }),
      h(PasswordField<keyof Values>, { form, name: 'password', label: 'Password', hint: '8 characters' }),
      h('button', { type: 'submit' }, 'Save'),
    );
  }
  const inputs = (page: Element) => [...page.querySelectorAll('input')];
  const labels = (page: Element) =>
    inputs(page).map((input) => page.querySelector(`label[for="${input.id}"]`)?.textContent);

  test('show the values, and change them as they are typed', () => {
    const { page } = show(h(Page));
    expect(labels(page)).toEqual(['Name as on the card', 'Mobile ', 'Password 8 characters']);
    expect(inputs(page).map(({ name, value, readOnly }) => [name, value, readOnly])).toEqual([
      ['name', 'Asha', false],
      ['mobile', '', false],
      ['password', '', false],
    ]);
    type(inputs(page)[1], '98160-12345');
    type(inputs(page)[2], ' quiet river ');
    expect(form.values).toEqual({ name: 'Asha', mobile: '9816012345', password: ' quiet river ' });
    expect(inputs(page)[1]?.value).toBe('9816012345');
    expect(page.querySelector('.group')?.textContent).toBe('+91');
    expect(page.querySelector('.group input')).toBe(inputs(page)[1]);
    expect(inputs(page)[1]?.inputMode).toBe('tel');
  });

  test('show their own errors, which typing removes', () => {
    const { page } = show(h(Page));
    act(() => form.showErrors({ mobile: 'Ten digits', password: 'Too short' }));
    const errors = () => [...page.querySelectorAll('p')].map(({ textContent }) => textContent);
    expect(errors()).toEqual(['Ten digits', 'Too short']);
    expect(inputs(page).map((input) => input.getAttribute('aria-invalid'))).toEqual([null, 'true', 'true']);
    expect(document.activeElement).toBe(inputs(page)[1]);
    type(inputs(page)[1], '9');
    expect(errors()).toEqual(['Too short']);
  });

  test('are read-only during a call, and a field may always be', async () => {
    const { page, update } = show(h(Page));
    const call = Promise.withResolvers<void>();
    let ended: Promise<void> = Promise.resolve();
    act(() => {
      ended = form.submit(
        { sent: {}, errors: {} },
        () => call.promise,
        () => ({ text: '' }),
      );
    });
    expect(inputs(page).map(({ readOnly }) => readOnly)).toEqual([true, true, true]);
    await act(async () => {
      call.resolve();
      await ended;
    });
    expect(inputs(page).map(({ readOnly }) => readOnly)).toEqual([false, false, false]);
    update(h(Page, { readOnly: true }));
    expect(inputs(page).map(({ readOnly }) => readOnly)).toEqual([true, false, false]);
  });
});
