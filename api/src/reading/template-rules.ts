/** Reads the rows of a known form. */
import type { FactTopic, FactValue } from '@nivida/contract/documents/document-facts';
import { comparable, normalised } from './fact-values.ts';
import { type LabelledValue, VALUE_PAGES } from './labelled-value.ts';
import type { Line } from './page-lines.ts';

export interface TemplateRule {
  /** The complete text of the label's cell. */
  label: RegExp;
  /** The value of the next cell; null when it is not in the form's own format. */
  value: (text: string) => FactValue | null;
}

/** The value beside each label. A label that stands at two places with different texts beside it has none. */
export function onlyValue(
  pages: readonly Line[][],
  rules: Partial<Record<FactTopic, TemplateRule>>,
): Map<FactTopic, LabelledValue> {
  const found = new Map<FactTopic, LabelledValue>();
  for (const [topic, rule] of Object.entries(rules) as [FactTopic, TemplateRule][]) {
    const places = pages.slice(0, VALUE_PAGES).flatMap((lines, index) =>
      lines.flatMap((line, n) =>
        line.cells.flatMap(({ text }, m) => {
          if (!rule.label.test(normalised(text))) return [];
          const beside = line.cells[m + 1];
          const isCut = goesOn(lines[n + 1], line, beside?.left);
          const value = beside && !line.isOverprinted && !isCut ? rule.value(beside.text.trim()) : null;
          return [{ page: index + 1, lines: [line], value }];
        }),
      ),
    );
    const [first] = places;
    if (!first?.value) continue;
    const own = comparable(first.value);
    if (places.every(({ value }) => value && comparable(value) === own))
      found.set(topic, { ...first, value: first.value });
  }
  return found;
}

/** Whether the value's cell has another line below. */
const goesOn = (next: Line | undefined, line: Line, left: number | undefined): boolean =>
  next !== undefined &&
  left !== undefined &&
  next.y - line.y < 1.4 * line.height &&
  next.cells.some((cell) => Math.abs(cell.left - left) < 3);
