/** The hosted page, the confirmation of bank or app, and the result pages. */
import { type Action, type PaymentTab, TEST_BANKS, TEST_CARDS } from '../actions.ts';
import type { SandboxCheckout } from '../checkouts.ts';
import { OUTCOMES } from '../outcomes.ts';
import { MAX_CHECKOUT_MS, type PaymentMethod } from '../protocol.ts';
import { type Html, html, htmlPage } from './html.ts';
import { qrPath } from './qr.ts';

const MERCHANT = 'Nivida';

type FieldProblem = Extract<Action, { kind: 'problem' }>;

const rupeeFormat = new Intl.NumberFormat('en-IN', { style: 'currency', currency: 'INR' });
const toRupees = (paise: number) => rupeeFormat.format(paise / 100);
const timeFormat = new Intl.DateTimeFormat('en-US', { timeStyle: 'short', timeZone: 'Asia/Kolkata' });

/** `Asha Negi` becomes `A••• N•••`. */
const maskName = (name: string) => name.replace(/(\S)\S*/gu, '$1•••');
/** `asha@example.org` becomes `a•••@example.org`. */
const maskBuyerEmail = (email: string) => email.replace(/^(.).*@/u, '$1•••@');
/** `+919876543210` becomes `••••••3210`. */
const maskPhone = (phone: string) => `••••••${phone.slice(-4)}`;

/** The page with the payment methods; `problem` is the error of the last form. */
export function payPage(checkout: SandboxCheckout, csrf: string, now: Date, problem?: FieldProblem): string {
  const open = problem?.tab ?? 'card';
  const tab = (name: PaymentTab, label: string) =>
    html`<label><input type="radio" name="tab" id="tab-${name}" ${open === name && html`checked`}><span>${label}</span></label>`;
  const body = html`<main class="sheet">
${summary(checkout, now)}
<div class="pay">
<fieldset class="tabs"><legend>Pay with</legend>${tab('card', 'Card')}${tab('upi', 'UPI')}${tab('bank', 'Net banking')}</fieldset>
<section class="panel card" aria-label="Card">${cardForm(checkout, csrf, problem)}</section>
<section class="panel upi" aria-label="UPI">${upiForms(checkout, csrf, problem)}</section>
<section class="panel bank" aria-label="Net banking">${bankForm(checkout, csrf, problem)}</section>
${outcomeMenu(checkout, csrf)}
${form(checkout, csrf, 'cancel', html`<button class="plain">Cancel and go back to ${MERCHANT}</button>`)}
</div>
</main>
<footer>Sandbox Pay stands in for a payment provider. <a href="/deliveries">Webhooks</a></footer>`;
  return htmlPage(`${toRupees(checkout.amount_paise)} to ${MERCHANT}`, body);
}

function summary(checkout: SandboxCheckout, now: Date): Html {
  const leftSeconds = Math.max(0, Math.floor((checkout.expires_at.getTime() - now.getTime()) / 1_000));
  const minutes = Math.floor(leftSeconds / 60);
  const left = `${minutes}:${String(leftSeconds % 60).padStart(2, '0')}`;
  const { buyer } = checkout;
  return html`<header class="summary">
<div class="merchant"><span class="tile" aria-hidden="true">N</span><div><p>Paying</p><h1>${MERCHANT}</h1></div>
<p class="amount">${toRupees(checkout.amount_paise)}</p></div>
<p class="what">${checkout.description}</p>
<p class="timer"><span id="left" data-seconds="${leftSeconds}">${left}</span> left, until <time datetime="${checkout.expires_at.toISOString()}">${timeFormat.format(checkout.expires_at)}</time></p>
<progress id="gauge" max="${MAX_CHECKOUT_MS / 1_000}" value="${leftSeconds}" aria-hidden="true"></progress>
<ul class="buyer" aria-label="Buyer"><li>${maskName(buyer.name)}</li><li>${maskBuyerEmail(buyer.email)}</li><li>${maskPhone(buyer.phoneE164)}</li></ul>
</header>`;
}

function form(checkout: SandboxCheckout, csrf: string, name: string, content: Html): Html {
  return html`<form method="post" action="/pay/${checkout.id}/act" autocomplete="off">
<input type="hidden" name="csrf" value="${csrf}"><input type="hidden" name="form" value="${name}">
${content}</form>`;
}

/** A labelled field, with the message of its error. */
function field(name: string, label: string, attributes: Html, problem: FieldProblem | undefined): Html {
  const isWrong = problem?.field === name;
  const message = isWrong && html`<span class="wrong" id="wrong-${name}">${problem.message}</span>`;
  const marks = isWrong && html`aria-invalid="true" aria-describedby="wrong-${name}" autofocus`;
  return html`<label class="field">${label}<input name="${name}" id="${name}" required autocomplete="off" ${attributes} ${marks}>${message}</label>`;
}

const payButton = (checkout: SandboxCheckout) =>
  html`<button class="main">Pay ${toRupees(checkout.amount_paise)}</button>`;

function cardForm(checkout: SandboxCheckout, csrf: string, problem: FieldProblem | undefined): Html {
  const chips = TEST_CARDS.map(
    ({ number, label }) =>
      html`<li><button type="button" class="chip" data-card="${number}"><b>${number}</b> ${label}</button></li>`,
  );
  const digits = html`inputmode="numeric"`;
  return form(
    checkout,
    csrf,
    'card',
    html`${field('number', 'Card number', html`${digits} placeholder="4111 1111 1111 1111" maxlength="23"`, problem)}
<div class="pair">${field('expiry', 'Expiry', html`${digits} placeholder="12/30" maxlength="7"`, problem)}
${field('cvv', 'CVV', html`${digits} placeholder="123" maxlength="3"`, problem)}</div>
${payButton(checkout)}
<details class="hint"><summary>Test cards</summary><ul>${chips}</ul></details>`,
  );
}

function upiForms(checkout: SandboxCheckout, csrf: string, problem: FieldProblem | undefined): Html {
  const amount = (checkout.amount_paise / 100).toFixed(2);
  const intent = `upi://pay?pa=nivida@sandbox&pn=${MERCHANT}&am=${amount}&cu=INR&tr=${checkout.attempt_ref}`;
  const options = Object.keys(OUTCOMES).map((name) => html`<option value="${name}@sandbox">`);
  const vpa = html`type="text" inputmode="email" list="vpas" autocapitalize="none" spellcheck="false" placeholder="success@sandbox" maxlength="60"`;
  return html`<div class="scan">
<svg viewBox="-4 -4 45 45" role="img" aria-label="QR code of this payment"><rect x="-4" y="-4" width="45" height="45"/><path d="${qrPath(intent)}"/></svg>
<div><p>Scan with a UPI app, or open the one on this phone. In test mode the app is ours.</p>
${form(checkout, csrf, 'upi-app', html`<button class="main">Open UPI app</button>`)}</div></div>
<p class="or">or</p>
${form(
  checkout,
  csrf,
  'upi',
  html`${field('vpa', 'UPI ID', vpa, problem)}<datalist id="vpas">${options}</datalist>
<p class="note"><b>success@sandbox</b> pays, <b>fail@sandbox</b> is declined</p>
${payButton(checkout)}`,
)}`;
}

function bankForm(checkout: SandboxCheckout, csrf: string, problem: FieldProblem | undefined): Html {
  const banks = TEST_BANKS.map(
    ({ id, name }, index) =>
      html`<label class="choice"><input type="radio" name="bank" value="${id}" ${index === 0 && html`checked`}><span>${name}</span></label>`,
  );
  const message = problem?.field === 'bank' && html`<p class="wrong">${problem.message}</p>`;
  const content = html`<fieldset class="banks"><legend>Bank</legend>${banks}</fieldset>${message}${payButton(checkout)}`;
  return form(checkout, csrf, 'bank', content);
}

function outcomeMenu(checkout: SandboxCheckout, csrf: string): Html {
  const options = Object.entries(OUTCOMES).map(([name, { label }]) => html`<option value="${name}">${label}</option>`);
  return html`<details class="menu"><summary>Other outcomes</summary>${form(
    checkout,
    csrf,
    'menu',
    html`<label class="field">What should happen<select name="outcome">${options}</select></label><button>Go</button>`,
  )}</details>`;
}

const VERIFY_TEXTS: Record<PaymentMethod, { who: string; question: string }> = {
  CARD: { who: 'Sandbox Bank, 3-D Secure', question: 'Type the code that was sent to your phone. Any six digits do.' },
  UPI: { who: 'Sandbox UPI app', question: 'Approve this payment with your PIN.' },
  NET_BANKING: { who: 'Sandbox Bank', question: 'Approve this payment from your account ••••0042.' },
};

/** The confirmation page of the bank or the UPI app. */
export function verifyPage(checkout: SandboxCheckout, csrf: string, method: PaymentMethod): string {
  const { who: verifier, question } = VERIFY_TEXTS[method];
  const code =
    method === 'CARD' &&
    field(
      'code',
      'One-time code',
      html`inputmode="numeric" pattern="[0-9]{6}" maxlength="6" title="Six digits"`,
      undefined,
    );
  const answer = (value: string, content: Html) =>
    form(
      checkout,
      csrf,
      'verify',
      html`<input type="hidden" name="method" value="${method}"><input type="hidden" name="answer" value="${value}">${content}`,
    );
  const body = html`<main class="sheet single"><h1>${verifier}</h1>
<p class="amount">${toRupees(checkout.amount_paise)}</p><p class="what">to ${MERCHANT}. ${question}</p>
${answer('yes', html`${code}<button class="main">Approve</button>`)}
${answer('no', html`<button class="plain">Decline</button>`)}</main>`;
  return htmlPage(verifier, body);
}

/** A page with a message, and a link back where there is one. */
export function noticePage(title: string, message: string, returnUrl?: string): string {
  const back = returnUrl && html`<a class="button main" href="${returnUrl}">Back to ${MERCHANT}</a>`;
  return htmlPage(
    title,
    html`<main class="sheet single"><h1>${title}</h1><p class="what">${message}</p>${back}</main>`,
  );
}
