/** Finds letters and figures that are printed over each other. Text extraction joins them to words that the page does not show. */
import { OPS, Util } from 'pdfjs-dist/legacy/build/pdf.mjs';

export interface Place {
  x: number;
  y: number;
  height: number;
}

/** What `getOperatorList` and `getViewport` of a page give. */
export interface PageOperators {
  fnArray: readonly number[];
  argsArray: readonly unknown[];
  viewport: number[];
}

interface Glyph extends Place {
  width: number;
}

/** A share of the narrower letter. Kerning and slanted letters cover less of each other. */
const OVERLAP = 0.35;
const SAME_ROW = 0.5;
const BUCKET_POINTS = 4;
/** Marks of other scripts stand on their letters. */
const COUNTED = /^[A-Za-z0-9.,%/₹-]+$/;

export function overprintedPlaces(page: PageOperators): Place[] {
  const buckets = new Map<number, Glyph[]>();
  const found: Place[] = [];
  for (const glyph of glyphsOf(page)) {
    const bucket = Math.floor(glyph.y / BUCKET_POINTS);
    const reach = Math.ceil((SAME_ROW * glyph.height) / BUCKET_POINTS);
    for (let near = bucket - reach; near <= bucket + reach; near++)
      if (buckets.get(near)?.some((other) => covers(glyph, other))) {
        found.push(glyph);
        break;
      }
    const own = buckets.get(bucket);
    if (own) own.push(glyph);
    else buckets.set(bucket, [glyph]);
  }
  return found;
}

function covers(a: Glyph, b: Glyph): boolean {
  if (Math.abs(a.y - b.y) > SAME_ROW * Math.min(a.height, b.height)) return false;
  const shared = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  return shared > OVERLAP * Math.min(a.width, b.width);
}

interface TextState {
  matrix: number[];
  size: number;
  letterSpace: number;
  wordSpace: number;
  stretch: number;
  leading: number;
  rise: number;
}

const IDENTITY = [1, 0, 0, 1, 0, 0];

/** The upright glyphs with their places on the page: the operators move the pen as PDF 32000-1, 9.4 says. */
function* glyphsOf({ fnArray, argsArray, viewport }: PageOperators): Generator<Glyph> {
  let state: TextState = { matrix: viewport, size: 0, letterSpace: 0, wordSpace: 0, stretch: 1, leading: 0, rise: 0 };
  const saved: TextState[] = [];
  let text = IDENTITY;
  let pen = { x: 0, y: 0 };
  let line = { x: 0, y: 0 };
  const move = (x: number, y: number) => {
    line = { x: line.x + x, y: line.y + y };
    pen = { ...line };
  };
  for (const [n, operator] of fnArray.entries()) {
    const operands = (argsArray[n] ?? []) as unknown[];
    const [first = 0, second = 0] = operands as number[];
    switch (operator) {
      case OPS.save:
        saved.push({ ...state });
        break;
      case OPS.paintFormXObjectBegin:
        saved.push({ ...state });
        if (operands[0]) state.matrix = Util.transform(state.matrix, [...(operands[0] as number[])]);
        break;
      case OPS.restore:
      case OPS.paintFormXObjectEnd:
        state = saved.pop() ?? state;
        break;
      case OPS.transform:
        state.matrix = Util.transform(state.matrix, [...(operands as number[])]);
        break;
      case OPS.beginText:
        text = IDENTITY;
        line = { x: 0, y: 0 };
        pen = { ...line };
        break;
      case OPS.setFont:
        state.size = second;
        break;
      case OPS.setCharSpacing:
        state.letterSpace = first;
        break;
      case OPS.setWordSpacing:
        state.wordSpace = first;
        break;
      case OPS.setHScale:
        state.stretch = first / 100;
        break;
      case OPS.setLeading:
        state.leading = -first;
        break;
      case OPS.setTextRise:
        state.rise = first;
        break;
      case OPS.setTextMatrix:
        text = [...((typeof operands[0] === 'number' ? operands : operands[0]) as number[])];
        line = { x: 0, y: 0 };
        pen = { ...line };
        break;
      case OPS.moveText:
        move(first, second);
        break;
      case OPS.setLeadingMoveText:
        state.leading = second;
        move(first, second);
        break;
      case OPS.nextLine:
        move(0, state.leading);
        break;
      case OPS.showText: {
        const toPage = Util.transform(state.matrix, text);
        const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = toPage;
        const isUpright = a > 0 && Math.abs(b) < 0.05 * a;
        for (const glyph of operands[0] as (number | { unicode?: string; width?: number; isSpace?: boolean })[]) {
          if (typeof glyph === 'number') {
            pen.x -= (glyph / 1_000) * state.size * state.stretch;
            continue;
          }
          const width = ((glyph.width ?? 0) / 1_000) * state.size;
          if (isUpright && width > 0 && COUNTED.test(glyph.unicode ?? ''))
            yield {
              x: a * pen.x + c * (pen.y + state.rise) + e,
              y: b * pen.x + d * (pen.y + state.rise) + f,
              width: width * state.stretch * a,
              height: Math.abs(d) * Math.abs(state.size),
            };
          pen.x += (width + state.letterSpace + (glyph.isSpace ? state.wordSpace : 0)) * state.stretch;
        }
        break;
      }
    }
  }
}
