import type { Locator, Page } from '@playwright/test';
import { field } from '../support/account-dialogs.ts';
import { expectInvalid, failNextCall } from '../support/forms.ts';
import { expect, test } from '../support/test.ts';
import { close, fill, send, sent } from './contact.ts';

/** One character whose JavaScript length is 2. */
const ROAD = '🛣';

const failed = (page: Page): Locator => page.getByRole('dialog', { name: 'Error' });

/** Each field with wrong values and their messages, and with valid values at the limits. */
const LIMITS: [label: string, wrong: [value: string, message: string][], fine: string[]][] = [
  [
    'Name',
    [
      ['', 'Name is required'],
      ['   ', 'Name is required'],
      [' A ', 'Name must be at least 2 characters'],
      [ROAD, 'Name must be at least 2 characters'],
      ['A'.repeat(101), 'Name must be less than 100 characters'],
    ],
    ['Jo', 'A'.repeat(100), ROAD.repeat(100)],
  ],
  [
    'Email',
    [
      ['', 'Email is required'],
      ['asha@', 'Please enter a valid email address'],
      ['asha verma@builders.example', 'Please enter a valid email address'],
    ],
    ['asha@builders.example'],
  ],
  [
    'Mobile number',
    [
      ['987654321', 'Please enter a valid 10-digit mobile number'],
      ['5876543210', 'Please enter a valid 10-digit mobile number'],
      ['98765432100', 'Please enter a valid 10-digit mobile number'],
    ],
    ['', '6876543210', '9876543210'],
  ],
  ['Company', [['A'.repeat(101), 'Company name must be less than 100 characters']], ['', 'A'.repeat(100)]],
  [
    'Subject',
    [
      ['', 'Subject is required'],
      ['Road', 'Subject must be at least 5 characters'],
      ['A'.repeat(201), 'Subject must be less than 200 characters'],
    ],
    ['Roads', 'A'.repeat(200)],
  ],
  [
    'Message',
    [
      ['', 'Message is required'],
      ['A'.repeat(9), 'Message must be at least 10 characters'],
      ['A'.repeat(1001), 'Message must be less than 1000 characters'],
    ],
    ['A'.repeat(10), 'A'.repeat(1000), ROAD.repeat(1000)],
  ],
];

test('each field shows its error when it is left, and none at its limits', async ({ page }) => {
  await page.goto('/contact');
  for (const [label, wrong, fine] of LIMITS) {
    const control = field(page, label);
    for (const [value, message] of wrong) {
      await control.fill(value);
      await control.blur();
      await expectInvalid(control, message);
    }
    for (const value of fine) {
      await control.fill(value);
      await control.blur();
      await expect(control).not.toHaveAttribute('aria-invalid');
    }
  }
});

test.describe('a message that the server refuses', () => {
  test.use({ expectedErrors: /^Failed to load resource: / });

  const FAILURES = [
    ['shows the reason', { status: 429, json: { code: 'TOO_MANY', message: 'Too many messages', requestId: 'r' } }],
    ['without a reason can be sent again', { status: 502, json: {} }],
  ] as const;
  for (const [name, failure] of FAILURES)
    test(name, async ({ page }) => {
      await page.goto('/contact');
      await fill(page, 'A question about documents');
      await failNextCall(page, '/api/contact', failure);
      await send(page).tap();
      const reason = failure.status === 429 ? 'Too many messages' : 'Failed to send message. Please try again.';
      await expect(failed(page).getByText(reason, { exact: true })).toBeVisible();
      await close(failed(page)).tap();
      await expect(field(page, 'Subject')).toHaveValue('A question about documents');
      await page.reload();
      await expect(field(page, 'Subject')).toHaveValue('A question about documents');
      await send(page).tap();
      await expect(sent(page)).toBeVisible();
    });
});

test('of the four questions one is open at a time', async ({ page }) => {
  await page.goto('/contact');
  const faq = page.getByRole('region', { name: 'Frequently asked questions' });
  const questions = faq.locator('summary');
  await expect(questions).toHaveText([
    'Do I submit my bid here?',
    'What do I pay ₹99 for?',
    'Does it work without a connection?',
    'How do I know that a closing date is still right?',
  ]);
  await expect(faq.locator('details[open]')).toHaveCount(0);
  for (const question of await questions.all()) {
    await question.tap();
    await expect(faq.locator('details[open] summary')).toHaveText(await question.innerText());
  }
  await questions.last().tap();
  await expect(faq.locator('details[open]')).toHaveCount(0);
});
