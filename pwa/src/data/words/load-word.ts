import { allTexts } from '@nivida/contract/i18n';
import type { TenderWordId } from '@nivida/contract/words/tender-words';

/** Loads a word of tendering in the present language. Throws when the table of words cannot be loaded. */
export async function loadWord(id: TenderWordId) {
  const [{ explainedWord }] = await Promise.all([import('@nivida/contract/words/tender-words'), allTexts()]);
  return explainedWord(id);
}
