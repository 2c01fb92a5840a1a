import { act } from 'react';
import { expect, test, vi } from 'vitest';
import { openTestPage } from '../../../ui/test-page.tsx';
import { AttachDialog } from './AttachDialog.tsx';

test('when every file is left out, Enter in the reason does nothing', async () => {
  const onClose = vi.fn();
  const left = { file: new File(['x'], 'notice.pdf'), name: 'notice.pdf', kind: 'nit', tenderId: null } as const;
  const staged = [{ ...left, tender: '', problem: 'no-id' }] as const;
  const { button, field } = await openTestPage(
    <AttachDialog staged={staged} hasOtherWorks={false} onClose={onClose} />,
  );
  expect(button('Attach').disabled).toBe(true);
  const enter = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true });
  await act(async () => void field('Reason stays in the audit log').dispatchEvent(enter));
  expect(onClose).not.toHaveBeenCalled();
});
