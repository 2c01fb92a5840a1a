/** The build steps of texts and the catalogues. */
import { expect, test } from 'vitest';
import { linguiMacros } from '../../../lingui.ts';

test('English texts are compiled where they stand, so that a production build needs no catalogue and no compiler', async () => {
  const { transform } = linguiMacros() as {
    transform: { handler: (code: string, id: string) => Promise<{ code: string }> };
  };
  const source = `import { t } from '@lingui/core/macro';
    export const text = (days: number) => t\`Closes in \${days} days\`;`;
  const { code } = await transform.handler(source, 'example.ts');
  expect(code.replace(/\s+/g, ' ')).toContain('message: ["Closes in ", ["days"], " days"]');
});
