/** The pages of the sandbox: the payment page, and two notices. They work without scripts. */
import { escapeUTF8 } from 'entities';
import QRCode from 'qrcode';
import { OUTCOMES } from './outcomes.ts';
import type { SandboxCheckout } from './records.ts';

const rupees = new Intl.NumberFormat('en-IN', { style: 'currency', currency: 'INR' });
const instant = new Intl.DateTimeFormat('en-IN', { timeStyle: 'medium', timeZone: 'Asia/Kolkata' });

/** A complete page with the test banner. */
const page = (title: string, body: string) => `<!doctype html>
<html lang="en-IN">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Sandbox Pay</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/pay.css">
<p role="note">TEST MODE, no money moves</p>
<main>
<h1>${title}</h1>
${body}
</main>
`;

/** The payment page; `problem` is the error of the UPI ID that was sent. */
export async function payPage(checkout: SandboxCheckout, problem = ''): Promise<string> {
  const { id, attempt_ref, description, expires_at } = checkout;
  const amount = checkout.amount_paise / 100;
  const price = rupees.format(amount);
  const intent = `upi://pay?pa=nivida@sandbox&pn=Nivida&am=${amount.toFixed(2)}&cu=INR&tr=${attempt_ref}`;
  const code = await QRCode.toString(intent, { type: 'svg', width: 176 });
  const vpas = Object.entries(OUTCOMES).map(([name, { label }]) => `<option value="${name}@sandbox">${label}</option>`);
  return page(
    'Pay Nivida',
    `<strong class="amount">${price}</strong>
<p>${escapeUTF8(description)}</p>
<p>This page ends at <time datetime="${expires_at.toISOString()}">${instant.format(expires_at)}</time>.</p>
<section aria-label="UPI">
<figure role="img" aria-label="QR code of this payment">${code}</figure>
<form method="post" action="/pay/${id}/act">
<label for="vpa">UPI ID</label>
<input id="vpa" name="vpa" list="vpas" inputmode="email" autocapitalize="none" autocomplete="off" placeholder="success@sandbox" required>
<datalist id="vpas">${vpas.join('')}</datalist>
<p role="alert">${problem}</p>
<p><b>success@sandbox</b> pays, <b>fail@sandbox</b> is declined. The list has more outcomes.</p>
<button>Pay ${price}</button>
</form>
</section>
<form method="post" action="/pay/${id}/act">
<button name="vpa" value="cancel@sandbox">Cancel and go back to Nivida</button>
</form>`,
  );
}

/** The page that is shown when an unused payment page has expired. */
export const expiredPage = ({ return_url }: SandboxCheckout): string =>
  page('This page has expired', `<p>Nothing was paid here. <a href="${escapeUTF8(return_url)}">Back to Nivida</a></p>`);

/** The page of a buyer whose browser does not return to the app. */
export const leftPage = (): string => page('You left the payment', '<p>You may close this tab.</p>');
