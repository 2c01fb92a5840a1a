/** The page of a download link: plain HTML, so that it opens from any mail program without the app. */
import { formatDateTime } from '@nivida/contract/format';
import { escapeUTF8 } from 'entities';
import { plainPage } from '../../http/html/plain-page.ts';
import { type DownloadLink, MAX_FETCHES } from './links.service.ts';

/** Offers the download. A GET changes nothing, because mail programs prefetch links. */
export function downloadOfferPage({ package: found, title, expiresAt, fetches, isTest }: DownloadLink): string {
  const left = MAX_FETCHES - fetches;
  const notes = [
    ...(found.isDemonstration ? ['DEMONSTRATION: the tender is not a live one, and its files were generated.'] : []),
    ...(isTest ? ['Test payment: no money moved.'] : []),
  ];
  return downloadPage(
    'Download tender documents',
    `<p class="small">Tender documents</p>
<h1>${escapeUTF8(title)}</h1>
${notes.map((note) => `<p class="note">${escapeUTF8(note)}</p>`).join('\n')}
<form method="post"><button>Download (${sizeText(found.bytes)})</button></form>
<dl>
<dt>Version</dt><dd>${found.version}, of ${formatDateTime(found.createdAt)}</dd>
<dt>Link works until</dt><dd>${formatDateTime(expiresAt)}, after ${left} more download${left === 1 ? '' : 's'}</dd>
<dt>SHA-256</dt><dd><code>${found.sha256}</code></dd>
</dl>
<h2>${found.fileNames.length} files in one ZIP</h2>
<ul>${found.fileNames.map((name) => `<li>${escapeUTF8(name)}</li>`).join('')}</ul>`,
  );
}

/** The page for an invalid link; `message` gives the reason. */
export function downloadErrorPage(message: string): string {
  return downloadPage(
    'No download',
    `<h1>${escapeUTF8(message)}</h1>
<p>Links work for 7 days and 20 downloads. With an account you get a new one under Payments; without one, press Resend on the page of your order.</p>
<p><a class="action" href="/dashboard/payments">Open Payments</a></p>`,
  );
}

/** '1.2 MB'; smaller sizes in whole kilobytes. */
function sizeText(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1_000))} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

const downloadPage = (title: string, body: string): string =>
  plainPage(
    title,
    body,
    'Official documents are free at the portal, and only those count. Nivida is not a government site; bids are submitted at the portal.',
  );
