/** Reads the rows of a known form. */
import type { FactTopic, FactValue } from '@nivida/contract/documents/document-facts';
import { comparable, normalised } from './fact-values.ts';
import { type LabelledValue, VALUE_PAGES } from './labelled-value.ts';
import type { Cell, Line } from './page-lines.ts';

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
        line.cells.flatMap((_, m) => {
          const labelLines = labelOf(rule, lines, n, m);
          if (!labelLines) return [];
          const beside = line.cells[m + 1];
          const isCut = goesOn(lines[n + 1], line, beside?.left);
          const value = beside && !line.isDoubtful && !isCut ? rule.value(beside.text.trim()) : null;
          return [{ page: index + 1, lines: labelLines, value }];
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

/** The lines of a label that begins or ends in a cell: it may go on in the next line or have begun in the line before. */
function labelOf({ label }: TemplateRule, lines: readonly Line[], n: number, m: number): Line[] | null {
  const line = lines[n] as Line;
  const cell = line.cells[m] as Cell;
  const isLabel = (text: string) => label.test(normalised(text).replace(HINDI_NAME, ''));
  if (isLabel(cell.text)) return [line];
  // The value is beside one of the two lines.
  if (m + 1 >= line.cells.length) return null;
  const partOf = (other: Line | undefined) =>
    other && Math.abs(other.y - line.y) < 1.6 * line.height
      ? other.cells.find(({ left }) => Math.abs(left - cell.left) < 3)
      : undefined;
  const [before, next] = [lines[n - 1], lines[n + 1]];
  const [above, below] = [partOf(before), partOf(next)];
  if (next && below && isLabel(`${cell.text} ${below.text}`)) return [line, next];
  if (before && above && isLabel(`${above.text} ${cell.text}`)) return [before, line];
  return null;
}

/** The Hindi name before the English one. Its letters may be garbled. */
const HINDI_NAME = /^[^a-z]*\/ ?(?=[a-z])/;

/** Whether the value's cell has another line below. */
const goesOn = (next: Line | undefined, line: Line, left: number | undefined): boolean =>
  next !== undefined &&
  left !== undefined &&
  next.y - line.y < 1.4 * line.height &&
  next.cells.some((cell) => Math.abs(cell.left - left) < 3);
