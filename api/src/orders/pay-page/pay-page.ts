/** The page that opens a provider's page by a form. Plain HTML: it must open at once, on any connection. */
import { createHash } from 'node:crypto';
import { t } from '@lingui/core/macro';
import { formatExactRupees } from '@nivida/contract/format';
import { inLanguage } from '@nivida/contract/i18n';
import type { Language } from '@nivida/contract/languages';
import { escapeUTF8 } from 'entities';
import { plainPage } from '../../http/html/plain-page.ts';

/** What the page shows and posts. */
export interface PayPage {
  language: Language;
  description: string;
  amountPaise: number;
  action: string;
  fields: Record<string, string>;
  /** The page's own address, without a slash at the end. */
  pageUrl: string;
  /** Sources of the security policy to which the form leads. */
  sources: readonly string[];
}

// A buyer who comes back by the browser's own button must not be sent away again.
const SUBMIT_SCRIPT =
  "if (performance.getEntriesByType('navigation')[0]?.type !== 'back_forward') document.forms[0].submit();";
const SCRIPT_SOURCE = `'sha256-${createHash('sha256').update(SUBMIT_SCRIPT).digest('base64')}'`;

/** The security policy of this page alone: its one script and its one form. */
export const payPagePolicy = ({ sources }: Pick<PayPage, 'sources'>): string =>
  `default-src 'none'; script-src ${SCRIPT_SOURCE}; style-src 'self'; img-src 'self'; form-action ${sources.join(' ')}; base-uri 'none'; frame-ancestors 'none'`;

/** The page in the order's language. */
export const payPageHtml = (page: PayPage): string => inLanguage(page.language, () => render(page));

function render({ description, amountPaise, action, fields, pageUrl }: PayPage): string {
  const amount = formatExactRupees(amountPaise / 100);
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${escapeUTF8(name)}" value="${escapeUTF8(value)}">`,
  );
  const body = `<h1>${t`The payment page opens`}</h1>
<p>${t`If it does not open by itself, tap the button.`}</p>
<dl><dt>${t`Amount`}</dt><dd>${amount}</dd><dt>${t`For`}</dt><dd>${escapeUTF8(description)}</dd></dl>
<form method="post" action="${escapeUTF8(action)}">
${inputs.join('\n')}
<button>${t`Pay ${{ amount }}`}</button>
</form>
<p><a href="${escapeUTF8(pageUrl)}/left">${t`Back without paying`}</a></p>
<script>${SUBMIT_SCRIPT}</script>`;
  return plainPage(
    t`Payment`,
    body,
    t`Nivida never sees the number of your card or your UPI PIN. You enter them at the payment provider.`,
  );
}
