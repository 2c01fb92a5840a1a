/** Values of a notice of the Indian railways (IREPS): a table of labels and values, in two pairs a row. */
import type { FactTopic, FactValue } from '@nivida/contract/documents/document-facts';
import { normalised, rupeesOf, timeOf } from './fact-values.ts';
import type { LabelledValue } from './labelled-value.ts';
import type { Line } from './page-lines.ts';
import { onlyValue, type TemplateRule } from './template-rules.ts';

export function isRailwayNotice(pages: readonly Line[][]): boolean {
  const text = normalised(
    pages
      .slice(0, 2)
      .flat()
      .map((line) => line.text)
      .join(' '),
  );
  return (
    /\badvertised value\b/.test(text) &&
    /\bbidding (?:type|system|style)\b/.test(text) &&
    /\btender closing date\b/.test(text)
  );
}

const money = (text: string): FactValue | null => (/^\d+\.\d\d$/.test(text) ? rupeesOf(text) : null);

const RULES: Partial<Record<FactTopic, TemplateRule>> = {
  emd: { label: /^earnest money \(rs\.?\)$/, value: money },
  fee: { label: /^tender doc(?:ument|\.)? cost \(rs\.?\)$/, value: money },
  estimate: { label: /^advertised value(?: \(rs\.?\))?$/, value: money },
  period: {
    label: /^period of completion$/,
    value: (text) => (/^\d+ (?:days|months)$/i.test(text) ? timeOf(text) : null),
  },
  validity: {
    label: /^validity of offer \( ?days ?\)$/,
    value: (text) => (/^\d+$/.test(text) ? timeOf(text, 'days') : null),
  },
};

export function railwayValues(pages: readonly Line[][]): Map<FactTopic, LabelledValue> {
  return onlyValue(pages, RULES);
}
