/** The page of a download link: plain HTML, so that it opens from any mail program without the app. */
import { plural, t } from '@lingui/core/macro';
import { formatDateTime } from '@nivida/contract/format';
import { inLanguage } from '@nivida/contract/i18n';
import { type Language, pathIn } from '@nivida/contract/languages';
import { escapeUTF8 } from 'entities';
import type { AppError } from '../../base/app-error.ts';
import { plainPage } from '../../http/html/plain-page.ts';
import { type DownloadLink, MAX_FETCHES } from './links.service.ts';

/** Offers the download, in the buyer's language. A GET changes nothing, because mail programs prefetch links. */
export const downloadOfferPage = (link: DownloadLink): string => inLanguage(link.language, () => offerPage(link));

function offerPage({ package: found, title, expiresAt, fetches, isTest }: DownloadLink): string {
  const left = MAX_FETCHES - fetches;
  const files = found.fileNames.length;
  const notes = [
    ...(found.isDemonstration ? [t`DEMONSTRATION: the tender is not a live one, and its files were generated.`] : []),
    ...(isTest ? [t`Test payment: no money moved.`] : []),
  ];
  const created = formatDateTime(found.createdAt);
  const expires = formatDateTime(expiresAt);
  return downloadPage(
    t`Download tender documents`,
    `<p class="small">${t`Tender documents`}</p>
<h1>${escapeUTF8(title)}</h1>
${notes.map((note) => `<p class="note">${escapeUTF8(note)}</p>`).join('\n')}
<form method="post"><button>${t`Download (${{ size: sizeText(found.bytes) }})`}</button></form>
<dl>
<dt>${t`Version`}</dt><dd>${t`${{ number: found.version }}, of ${created}`}</dd>
<dt>${t`Link works until`}</dt><dd>${plural(left, { one: `${expires}, after # more download`, other: `${expires}, after # more downloads` })}</dd>
<dt>SHA-256</dt><dd><code>${found.sha256}</code></dd>
</dl>
<h2>${plural(files, { one: '# file in one ZIP', other: '# files in one ZIP' })}</h2>
<ul>${found.fileNames.map((name) => `<li>${escapeUTF8(name)}</li>`).join('')}</ul>`,
  );
}

/** The page for an invalid link, with the reason. */
export const downloadErrorPage = (error: AppError, language: Language): string =>
  inLanguage(language, () =>
    downloadPage(
      t`No download`,
      `<h1>${escapeUTF8(error.textsIn(language).message)}</h1>
<p>${t`Links work for 7 days and 20 downloads. With an account you get a new one under Payments; without one, press Resend on the page of your order.`}</p>
<p><a class="action" href="${pathIn(language, '/dashboard/payments')}">${t`Open Payments`}</a></p>`,
    ),
  );

/** '1.2 MB'; smaller sizes in whole kilobytes. */
function sizeText(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1_000))} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

const downloadPage = (title: string, body: string): string =>
  plainPage(
    title,
    body,
    t`Official documents are free at the portal, and only those count. Nivida is not a government site; bids are submitted at the portal.`,
  );
