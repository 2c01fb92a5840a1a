/** The page that lists webhooks and resends them. */

import type { WebhookDelivery } from '../webhooks.ts';
import { html, htmlPage } from './html.ts';

const instant = new Intl.DateTimeFormat('en-IN', {
  dateStyle: 'medium',
  timeStyle: 'medium',
  timeZone: 'Asia/Kolkata',
});

/** Newest first, each with a button; `csrf` is the browser's token. */
export function deliveriesPage(deliveries: WebhookDelivery[], csrf: string): string {
  const rows = deliveries.map(
    (
      delivery,
    ) => html`<li><div class="line"><b>${delivery.event}</b><span class="state">${deliveryState(delivery)}</span></div>
<p class="ref">${delivery.attempt_ref}</p>
<p class="note">${delivery.event_id} · ${instant.format(delivery.created_at)}${delivery.fault && ` · ${delivery.fault} on purpose`}</p>
<form method="post" action="/deliveries/${delivery.id}/resend"><input type="hidden" name="csrf" value="${csrf}"><button>Send again</button></form></li>`,
  );
  const list =
    rows.length > 0 ? html`<ul class="deliveries">${rows}</ul>` : html`<p class="what">Nothing was sent yet.</p>`;
  return htmlPage('Webhooks', html`<main class="sheet wide"><h1>Webhooks</h1>${list}</main>`);
}

function deliveryState({ due_at, tries, answer }: WebhookDelivery): string {
  const tried = tries === 1 ? '1 try' : `${tries} tries`;
  const met = answer ? `answer ${answer}` : 'no answer yet';
  if (due_at) return tries === 0 ? `due ${instant.format(due_at)}` : `${tried}, ${met}, next ${instant.format(due_at)}`;
  return `${/^2\d\d$/.test(answer ?? '') ? 'received' : 'not received'}: ${tried}, ${met}`;
}
