/** Loads the texts of the server in all languages. Imported by what writes texts in another language than English. */
import type { Messages } from '@lingui/core';
import { addTexts } from '@nivida/contract/i18n';
import { languageOfFile } from '@nivida/contract/languages';

const CATALOGUES: Record<string, { messages: Messages }> = import.meta.glob('../../../texts/*.po', {
  query: '?part=server',
  eager: true,
});

for (const [path, { messages }] of Object.entries(CATALOGUES)) addTexts(languageOfFile(path), messages);
