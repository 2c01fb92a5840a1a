/** Finds letters and figures that text extraction reads otherwise than a person who looks at the page. */
import { type Cover, drawingOf, type Glyph, type PageOperators, type Place, type Stroke } from './page-drawing.ts';

/** A share of the narrower letter. Kerning and slanted letters cover less of each other. */
const OVERLAP = 0.35;
const SAME_ROW = 0.5;
const BUCKET_POINTS = 4;
/** Where glyphs are printed over each other, struck out, covered or not visible. */
export function doubtfulPlaces(page: PageOperators): Place[] {
  const { glyphs, strokes, covers } = drawingOf(page);
  const hidden = glyphs.filter(
    (glyph, n) =>
      glyph.isHidden ||
      strokes.some((stroke) => isStruckBy(glyph, stroke)) ||
      covers.some((cover) => isStruckBy(glyph, barOf(cover, glyph)) || (cover.after > n && isUnder(glyph, cover))),
  );
  return [...hidden, ...overprinted(glyphs)];
}

/** Shares of the height of a letter above its baseline: lower is an underline, higher a border of its cell. */
const STRUCK_FROM = 0.1;
const STRUCK_TO = 0.6;
const MIDDLE = 0.3;
const BAR = 0.25;

const centreOf = ({ x, width }: Glyph): number => x + width / 2;

function isStruckBy(glyph: Glyph, stroke: Stroke | null): boolean {
  if (!stroke) return false;
  const { left, right } = stroke;
  const x = centreOf(glyph);
  if (x < left.x || x > right.x || left.x === right.x) return false;
  const above = glyph.y - (left.y + ((right.y - left.y) * (x - left.x)) / (right.x - left.x));
  return above > STRUCK_FROM * glyph.height && above < STRUCK_TO * glyph.height;
}

/** A filled shape that is as thin as a stroke. */
function barOf({ left, right, top, bottom }: Cover, { height }: Glyph): Stroke | null {
  if (bottom - top > BAR * height) return null;
  const y = (top + bottom) / 2;
  return { left: { x: left, y }, right: { x: right, y } };
}

function isUnder(glyph: Glyph, { left, right, top, bottom }: Cover): boolean {
  const [x, y] = [centreOf(glyph), glyph.y - MIDDLE * glyph.height];
  return x > left && x < right && y > top && y < bottom;
}

function overprinted(glyphs: readonly Glyph[]): Place[] {
  const buckets = new Map<number, Glyph[]>();
  const found: Place[] = [];
  for (const glyph of glyphs) {
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
