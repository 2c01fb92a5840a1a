/** Reads the text of a PDF. */
import type { UnreadPage } from '@nivida/contract/documents/document-facts';
import type { PDFPageProxy } from 'pdfjs-dist';
import { getDocument, OPS, PasswordException, Util } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { DocumentReading } from './document-reading.ts';
import { doubtfulPlaces } from './doubtful-text.ts';
import { findFacts } from './find-facts.ts';
import { findValues } from './label-values.ts';
import { isUnreadableFont } from './legacy-font.ts';
import type { Place } from './page-drawing.ts';
import { type Line, pageLines, type TextItem } from './page-lines.ts';

export interface TextLimits {
  pages: number;
  /** Of the texts of all pages together. */
  characters: number;
}

/** A page with an image and fewer characters is a picture with a stamp or signature on it. */
const PICTURE_CHARACTERS = 60;
const REMOVED_IMAGE = 'Image exceeded maximum allowed size';

export async function readPdf(
  bytes: Buffer,
  limits: TextLimits,
): Promise<Pick<DocumentReading, 'state' | 'pages' | 'unreadPages' | 'facts' | 'texts'>> {
  const nothing = { pages: null, unreadPages: [], facts: [], texts: [] };
  const task = getDocument({
    data: new Uint8Array(bytes),
    disableFontFace: true,
    useSystemFonts: false,
    useWorkerFetch: false,
    useWasm: false,
    maxImageSize: 1,
    verbosity: 1,
  });
  const document = await task.promise.catch((error) => (error instanceof PasswordException ? 'locked' : 'broken'));
  if (document === 'locked' || document === 'broken') return { ...nothing, state: document };
  if (typeof document === 'string') return { ...nothing, state: 'broken' };

  const pages: Line[][] = [];
  const unreadPages: UnreadPage[] = [];
  let characters = 0;
  for (let number = 1; number <= document.numPages; number++) {
    const lines = number > limits.pages || characters >= limits.characters ? 'limit' : await readPage(number);
    const text = typeof lines === 'string' ? '' : textOf(lines);
    if (typeof lines === 'string') unreadPages.push({ page: number, why: lines });
    else if (characters + text.length > limits.characters) unreadPages.push({ page: number, why: 'limit' });
    const isRead = typeof lines !== 'string' && characters + text.length <= limits.characters;
    characters += text.length;
    if (number <= limits.pages) pages.push(isRead ? lines : []);
    if (unreadPages.length > MAX_UNREAD_PAGES) break;
  }
  await markDoubtful(pages, placesOf);
  return {
    state: stateOf(document.numPages, unreadPages),
    pages: document.numPages,
    unreadPages: unreadPages.slice(0, MAX_UNREAD_PAGES),
    facts: findFacts(pages),
    texts: pages.map(textOf),
  };

  async function placesOf(number: number): Promise<Place[]> {
    if (typeof document === 'string') return [];
    const page = await document.getPage(number);
    const { fnArray, argsArray } = await page.getOperatorList();
    page.cleanup();
    return doubtfulPlaces({ fnArray, argsArray, viewport: [...page.getViewport({ scale: 1 }).transform] });
  }

  async function readPage(number: number): Promise<Line[] | 'picture' | 'font' | 'broken'> {
    if (typeof document === 'string') return 'broken';
    try {
      const page = await document.getPage(number);
      const { items, isTurned } = await itemsOf(page);
      const lines = pageLines(items);
      // Where text is turned, doubtful letters are not looked for.
      if (isTurned) for (const line of lines) line.isDoubtful = true;
      const text = textOf(lines);
      const isPicture = text.length < PICTURE_CHARACTERS && (await hasImage(page));
      page.cleanup();
      if (isPicture) return 'picture';
      return isUnreadableFont(text) ? 'font' : lines;
    } catch {
      return 'broken';
    }
  }
}

/** Looks for doubtful letters in the lines that have a value, until none is left that was not looked at. */
async function markDoubtful(pages: readonly Line[][], placesOf: (page: number) => Promise<Place[]>): Promise<void> {
  const checked = new Set<Line>();
  for (;;) {
    const next = [...findValues(pages).values()].filter(({ lines }) => lines.some((line) => !checked.has(line)));
    if (next.length === 0) return;
    for (const { page, lines } of next) {
      const places = await placesOf(page).catch(() => null);
      for (const line of lines) {
        checked.add(line);
        line.isDoubtful ||= places === null || places.some((place) => isIn(place, line));
      }
    }
  }
}

const isIn = ({ x, y, height }: Place, line: Line): boolean =>
  Math.abs(y - line.y) < 0.6 * height && line.cells.some(({ left, right }) => x > left - 1 && x < right + 1);

/** More of them would only repeat that a document is too long. */
const MAX_UNREAD_PAGES = 1_000;

/** The text of a page, a line of it in each line. */
const textOf = (lines: readonly Line[]): string => lines.map(({ text }) => text).join('\n');

function stateOf(pages: number, unread: readonly UnreadPage[]): DocumentReading['state'] {
  if (unread.length === 0) return 'done';
  if (unread.length < pages) return 'part';
  const count = (why: UnreadPage['why']) => unread.filter((page) => page.why === why).length;
  const [most] = (['picture', 'font', 'broken', 'limit'] as const).toSorted((a, b) => count(b) - count(a));
  return most === 'picture' ? 'pictures' : most === 'font' ? 'font' : most === 'limit' ? 'too-large' : 'broken';
}

/** The items in the direction of most of the page's text: a stamp across the page is set aside. */
async function itemsOf(page: PDFPageProxy): Promise<{ items: TextItem[]; isTurned: boolean }> {
  const { transform } = page.getViewport({ scale: 1 });
  const { items } = await page.getTextContent({ disableNormalization: true });
  const turned: { turn: number; item: TextItem }[] = [];
  for (const item of items) {
    if (!('str' in item) || item.str.trim() === '') continue;
    const [a, b, c, d, x, y] = Util.transform(transform, item.transform) as number[];
    const angle = (Math.atan2(b ?? 0, a ?? 0) * 180) / Math.PI;
    const turn = Math.round(angle / 90) * 90;
    if (Math.abs(angle - turn) > 3) continue;
    const height = Math.hypot(c ?? 0, d ?? 0) || item.height;
    turned.push({
      turn: (turn + 360) % 360,
      item: { text: clean(item.str), ...turnedBack(turn, x ?? 0, y ?? 0), width: item.width, height },
    });
  }
  const size = (turn: number) =>
    turned.reduce((sum, each) => sum + (each.turn === turn ? each.item.text.length : 0), 0);
  const [main] = [0, 90, 180, 270].toSorted((a, b) => size(b) - size(a));
  return { items: turned.filter(({ turn }) => turn === main).map(({ item }) => item), isTurned: main !== 0 };
}

function turnedBack(turn: number, x: number, y: number): { x: number; y: number } {
  switch ((turn + 360) % 360) {
    case 90:
      return { x: y, y: -x };
    case 180:
      return { x: -x, y: -y };
    case 270:
      return { x: -y, y: x };
    default:
      return { x, y };
  }
}

/** Characters that PostgreSQL or a screen cannot show become spaces. */
const clean = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed.
  text.toWellFormed().replace(/[\u0000-\u001f\u007f\u00ad\u200b\ufeff]/g, ' ');

const IMAGE_OPERATORS = new Set([
  OPS.paintImageXObject,
  OPS.paintImageMaskXObject,
  OPS.paintInlineImageXObject,
  OPS.paintImageXObjectRepeat,
  OPS.paintImageMaskXObjectRepeat,
  OPS.paintImageMaskXObjectGroup,
  OPS.paintInlineImageXObjectGroup,
  OPS.paintSolidColorImageMask,
]);

/** Images are not decoded: that a page has one is said by a warning only. */
async function hasImage(page: PDFPageProxy): Promise<boolean> {
  const { console } = globalThis;
  const { warn } = console;
  let wasRemoved = false;
  console.warn = (text: unknown) => {
    wasRemoved ||= String(text).includes(REMOVED_IMAGE);
  };
  try {
    const { fnArray } = await page.getOperatorList();
    return wasRemoved || fnArray.some((operator) => IMAGE_OPERATORS.has(operator));
  } finally {
    console.warn = warn;
  }
}
