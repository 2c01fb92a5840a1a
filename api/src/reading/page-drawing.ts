/** What the operators of a page draw: letters, strokes and what covers the page beneath. */
import { OPS, Util } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** Unit: points from the upper left corner of the page; `y` is the baseline. */
export interface Place {
  x: number;
  y: number;
  height: number;
}

/** What `getOperatorList` and `getViewport` of a page give. */
export interface PageOperators {
  fnArray: readonly number[];
  argsArray: readonly unknown[];
  /** From the space of the page to points from its upper left corner. */
  viewport: number[];
}

export interface Glyph extends Place {
  width: number;
  /** Invisible, pale as a watermark or cut off. */
  isHidden: boolean;
}

export interface Stroke {
  left: Point;
  right: Point;
}

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** A filled shape, a picture or an annotation. */
export interface Cover extends Box {
  /** The number of glyphs that come before it. */
  after: number;
}

export interface PageDrawing {
  glyphs: Glyph[];
  strokes: Stroke[];
  covers: Cover[];
}

interface Point {
  x: number;
  y: number;
}

interface DrawingState {
  matrix: number[];
  /** '#rrggbb', or '' for a pattern. */
  fill: string;
  opacity: number;
  /** What lies outside of it is cut off; null for the whole page. */
  clip: Box | null;
  /** 3 and 7 are invisible. */
  mode: number;
  size: number;
  letterSpace: number;
  wordSpace: number;
  stretch: number;
  leading: number;
  rise: number;
}

const IDENTITY = [1, 0, 0, 1, 0, 0];
const UNIT_SQUARE: readonly Point[] = [
  { x: 0, y: 0 },
  { x: 1, y: 0 },
  { x: 0, y: 1 },
  { x: 1, y: 1 },
];
/** Of 255. Lighter text is a watermark or not to be seen. */
const PALE = 208;
const FAINT = 0.3;
const INVISIBLE_MODES = new Set([3, 7]);

/** Marks of other scripts stand on their letters. */
const COUNTED = /^[A-Za-z0-9.,%/₹-]+$/;
const FILLS = new Set<unknown>([
  OPS.fill,
  OPS.eoFill,
  OPS.fillStroke,
  OPS.eoFillStroke,
  OPS.closeFillStroke,
  OPS.closeEOFillStroke,
]);
const STROKES = new Set<unknown>([
  OPS.stroke,
  OPS.closeStroke,
  OPS.fillStroke,
  OPS.eoFillStroke,
  OPS.closeFillStroke,
  OPS.closeEOFillStroke,
]);
/** A drawing with more is not a page of text. */
const MAX_SHAPES = 50_000;

/** The upright glyphs and the shapes of a page: the operators move the pen as PDF 32000-1, 9.4 says. */
export function drawingOf({ fnArray, argsArray, viewport }: PageOperators): PageDrawing {
  const glyphs: Glyph[] = [];
  const strokes: Stroke[] = [];
  const covers: Cover[] = [];
  let state: DrawingState = {
    matrix: viewport,
    fill: '#000000',
    opacity: 1,
    clip: null,
    mode: 0,
    size: 0,
    letterSpace: 0,
    wordSpace: 0,
    stretch: 1,
    leading: 0,
    rise: 0,
  };
  let isInAnnotation = false;
  let isClipping = false;
  const cover = (matrix: readonly number[], corners: readonly Point[]) =>
    covers.push({ ...boxOf(matrix, corners), after: glyphs.length });
  const saved: DrawingState[] = [];
  let text = IDENTITY;
  let pen = { x: 0, y: 0 };
  let line = { x: 0, y: 0 };
  const move = (x: number, y: number) => {
    line = { x: line.x + x, y: line.y + y };
    pen = { ...line };
  };
  for (const [n, operator] of fnArray.entries()) {
    if (isInAnnotation && operator !== OPS.endAnnotation) continue;
    if (strokes.length + covers.length > MAX_SHAPES) throw new Error('too many shapes');
    const operands = (argsArray[n] ?? []) as unknown[];
    const [first = 0, second = 0] = operands as number[];
    switch (operator) {
      case OPS.beginAnnotation: {
        isInAnnotation = true;
        const [left = 0, bottom = 0, right = 0, top = 0] = (operands[1] ?? []) as number[];
        cover(viewport, [
          { x: left, y: bottom },
          { x: right, y: top },
        ]);
        break;
      }
      case OPS.endAnnotation:
        isInAnnotation = false;
        break;
      case OPS.paintImageXObject:
      case OPS.paintImageMaskXObject:
      case OPS.paintInlineImageXObject:
      case OPS.paintSolidColorImageMask:
        cover(state.matrix, UNIT_SQUARE);
        break;
      case OPS.clip:
      case OPS.eoClip:
        isClipping = true;
        break;
      case OPS.setGState:
        for (const [name, value] of first as unknown as [string, unknown][])
          if (name === 'ca') state.opacity = Number(value);
        break;
      case OPS.constructPath: {
        const parts = subpaths((operands[1] as [ArrayLike<number> | null])[0]);
        if (isClipping) state.clip = boxOf(state.matrix, parts.flat());
        isClipping = false;
        for (const points of parts) {
          if (FILLS.has(operands[0])) cover(state.matrix, points);
          if (!STROKES.has(operands[0])) continue;
          const onPage = points.map((point) => placed(state.matrix, point));
          for (const [m, end] of onPage.slice(1).entries()) strokes.push(toRight(onPage[m] as Point, end));
        }
        break;
      }
      case OPS.setFillRGBColor:
        state.fill = String(operands[0]);
        break;
      case OPS.setFillColorN:
        state.fill = '';
        break;
      case OPS.setTextRenderingMode:
        state.mode = first;
        break;
      case OPS.save:
        saved.push({ ...state });
        break;
      case OPS.paintFormXObjectBegin:
        saved.push({ ...state });
        if (operands[0]) state.matrix = Util.transform(state.matrix, [...(operands[0] as number[])]);
        break;
      case OPS.restore:
      case OPS.paintFormXObjectEnd:
        // Nothing was left of a picture but its place: pictures are not decoded.
        if (fnArray[n - 1] === OPS.transform) cover(state.matrix, UNIT_SQUARE);
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
        const [a = 0, b = 0, , d = 0] = toPage;
        const isUpright = a > 0 && Math.abs(b) < 0.05 * a;
        for (const glyph of operands[0] as (number | { unicode?: string; width?: number; isSpace?: boolean })[]) {
          if (typeof glyph === 'number') {
            pen.x -= (glyph / 1_000) * state.size * state.stretch;
            continue;
          }
          const width = ((glyph.width ?? 0) / 1_000) * state.size;
          if (isUpright && width > 0 && COUNTED.test(glyph.unicode ?? '')) {
            const height = Math.abs(d) * Math.abs(state.size);
            const place = { ...placed(toPage, { x: pen.x, y: pen.y + state.rise }), height };
            glyphs.push({
              ...place,
              width: width * state.stretch * a,
              isHidden: isPale(state) || INVISIBLE_MODES.has(state.mode) || !isInside(place, state.clip),
            });
          }
          pen.x += (width + state.letterSpace + (glyph.isSpace ? state.wordSpace : 0)) * state.stretch;
        }
        break;
      }
    }
  }
  return { glyphs, strokes, covers };
}

function placed([a = 0, b = 0, c = 0, d = 0, e = 0, f = 0]: readonly number[], { x, y }: Point): Point {
  return { x: a * x + c * y + e, y: b * x + d * y + f };
}

function boxOf(matrix: readonly number[], corners: readonly Point[]): Box {
  const points = corners.map((point) => placed(matrix, point));
  return {
    left: Math.min(...points.map(({ x }) => x)),
    right: Math.max(...points.map(({ x }) => x)),
    top: Math.min(...points.map(({ y }) => y)),
    bottom: Math.max(...points.map(({ y }) => y)),
  };
}

const isInside = ({ x, y, height }: Place, clip: Box | null): boolean =>
  clip === null || (x > clip.left - 1 && x < clip.right && y > clip.top && y - height < clip.bottom);

const isPale = ({ fill, opacity }: DrawingState): boolean =>
  opacity < FAINT ||
  (/^#(?:[\da-f]{2}){3}$/.test(fill) && [1, 3, 5].every((at) => Number.parseInt(fill.slice(at, at + 2), 16) >= PALE));

const toRight = (a: Point, b: Point): Stroke => (a.x <= b.x ? { left: a, right: b } : { left: b, right: a });

/** Numbers of a path: pdfjs writes its commands 0 to 4 before their coordinates. */
const COORDINATES = [2, 2, 6, 4, 0];
const MOVE = 0;

/** The corners of each part of a path. */
function subpaths(path: ArrayLike<number> | null): Point[][] {
  const parts: Point[][] = [];
  const numbers = path ?? [];
  for (let at = 0; at < numbers.length; ) {
    const command = numbers[at] ?? 0;
    const size = COORDINATES[command] ?? 0;
    if (command === MOVE) parts.push([]);
    for (let pair = at + 1; pair < at + size; pair += 2)
      parts.at(-1)?.push({ x: numbers[pair] ?? 0, y: numbers[pair + 1] ?? 0 });
    at += size + 1;
  }
  return parts;
}
