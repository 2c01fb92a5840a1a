/** Values of a bid document of the Government e-Marketplace (GeM). Its labels are English and Hindi, with a slash. */
import type { FactTopic, FactValue } from '@nivida/contract/documents/document-facts';
import { normalised, rupeesOf, timeOf } from './fact-values.ts';
import type { LabelledValue } from './labelled-value.ts';
import type { Line } from './page-lines.ts';
import { onlyValue, type TemplateRule } from './template-rules.ts';

export function isGemBid(pages: readonly Line[][]): boolean {
  const text = normalised(
    pages
      .slice(0, 2)
      .flat()
      .map((line) => line.text)
      .join(' '),
  );
  return /\bgem\/\d{4}\/[br]\/\d+/.test(text) && /\bbid details\b/.test(text);
}

const money = (text: string): FactValue | null => (/^\d{3,12}(?:\.\d\d?)?$/.test(text) ? rupeesOf(`Rs ${text}`) : null);

const RULES: Partial<Record<FactTopic, TemplateRule>> = {
  emd: { label: /^emd amount(?: ?\(in inr\))?(?: ?\/.*)?$/, value: money },
  estimate: { label: /^estimated bid value(?: ?\(in inr\))?(?: ?\/.*)?$/, value: money },
  validity: {
    label: /^bid offer validity \(from end date\)(?: ?\/.*)?$/,
    value: (text) => (/^\d+ ?\(days?\)$/i.test(text) ? timeOf(text.replace(/[()]/g, ' ')) : null),
  },
};

export function gemValues(pages: readonly Line[][]): Map<FactTopic, LabelledValue> {
  return onlyValue(pages, RULES);
}
