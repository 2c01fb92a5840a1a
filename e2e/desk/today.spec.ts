/** `/desk`: what waits, and the way to it. */
import { randomUUID } from 'node:crypto';
import { expectAccessible } from '../support/accessibility.ts';
import { makeSession } from '../support/session.ts';
import { expect } from '../support/test.ts';
import { expectNoSideways, makeMember, openDesk, showOnPhone, deskTest as test } from './desk.ts';

test('a message that waits is there with its button', async ({ page, request }) => {
  const { token } = await makeSession();
  const written = await request.post('/api/support/threads', {
    headers: { Authorization: `Bearer ${token}` },
    data: { id: randomUUID(), subject: 'A question', message: { id: randomUUID(), text: 'When do you open?' } },
  });
  expect(written.ok(), await written.text()).toBe(true);
  await openDesk(page, await makeMember('owner'), '/desk');
  const waiting = page
    .getByRole('list', { name: 'What waits' })
    .getByRole('listitem')
    .filter({ hasText: /messages? wait/ });
  await expect(waiting).toHaveCount(1);
  await expectAccessible(page);
  await showOnPhone(page);
  await expectNoSideways(page);
  await waiting.getByRole('link', { name: 'Answer' }).press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Messages' })).toBeVisible();
});
