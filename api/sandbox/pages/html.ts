/** HTML as values: every value in a template is escaped, unless it is HTML itself. */

/** A piece of HTML. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | string | number | false | null | undefined | Part[];

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** An HTML template; false, null and undefined print nothing, lists print their parts. */
export function html(texts: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(texts.reduce((before, text, index) => before + printPart(parts[index - 1]) + text));
}

function printPart(part: Part): string {
  if (part instanceof Html) return part.text;
  if (Array.isArray(part)) return part.map(printPart).join('');
  if (part === false || part === null || part === undefined) return '';
  return String(part).replace(/[&<>"']/g, (character) => ESCAPES[character] as string);
}

/** A whole page with the test banner. */
export function htmlPage(title: string, body: Html): string {
  return html`<!doctype html>
<html lang="en-IN">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="robots" content="noindex">
<meta name="theme-color" content="#ffc94d">
<title>${title} · Sandbox Pay</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/pay.css">
<script src="/pay.js" defer></script>
</head>
<body>
<p class="test" role="note">TEST MODE, no money moves</p>
${body}
</body>
</html>
`.text;
}
