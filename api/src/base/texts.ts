/** The catalogues of the server. */
import type { Messages } from '@lingui/core';
import { addTexts } from '@nivida/contract/i18n';
import { languageOfFile } from '@nivida/contract/languages';

const CATALOGUES: Record<string, { messages: Messages }> = import.meta.glob('../../../texts/*.po', {
  query: '?part=server',
  eager: true,
});

/** Adds the texts of all languages. Called when a program starts. */
export function loadTexts(): void {
  for (const [path, { messages }] of Object.entries(CATALOGUES)) addTexts(languageOfFile(path), messages);
}
