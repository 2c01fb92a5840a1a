/** The texts of all mails, rendered as plain text and as HTML without external resources. */
import { formatDate, formatDateTime, formatRupees } from '@nivida/contract/format';
import { escapeUTF8 } from 'entities';
import { withCommandName } from '../base/config.ts';
import type { Mail, MailKind } from './mail.ts';

/** A paragraph, a code to type, or a link. */
type MailPart = string | { code: string } | { link: string };

interface MailDraft {
  /** One line. */
  subject: string;
  parts: MailPart[];
  /** Reply-To, when it differs from the sender. */
  replyTo?: string;
  /** The address that stops mails of this kind. */
  stopLink?: string | undefined;
}

/** A mail with its rendered texts. */
export interface ComposedMail {
  subject: string;
  text: string;
  html: string;
  replyTo?: string;
  stopLink?: string;
}

/** Settings that the texts mention. */
export interface MailSite {
  publicOrigin: string;
  supportEmail: string | undefined;
  /** The operator's command of this installation. */
  commandName?: string | undefined;
}

type MailDrafts = { [Kind in MailKind]: (mail: Extract<Mail, { kind: Kind }>, site: MailSite) => MailDraft };

const NOT_YOU_TEXT =
  'If this was not you, choose a new password at once: open the sign-in dialog and press "Forgot password?".';

const TEST_PAYMENT = 'This was a test: no money has moved.';

const UNPAID_TEXTS = {
  declined: 'Your payment was declined.',
  cancelled: 'Your payment was cancelled.',
  expired: 'Your payment was not completed in time.',
};

/** '₹98.99', 'USD 99.00'. */
const moneyText = ({ amountPaise, currency }: { amountPaise: number; currency: string }): string =>
  currency === 'INR' ? formatRupees(amountPaise / 100) : `${currency} ${(amountPaise / 100).toFixed(2)}`;

const inDays = (days: number): string => (days === 0 ? 'today' : days === 1 ? 'tomorrow' : `in ${days} days`);

const STOP_TEXTS = {
  'en-IN': 'You can turn these mails off in the app (Notices, then Alert settings), or stop them here:',
  'hi-IN': 'इन मेल को ऐप में बंद कर सकते हैं (Notices, फिर Alert settings), या यहाँ:',
};

const alertDraft = ({ title, lines, language, link, stopLink }: Extract<Mail, { language: unknown }>): MailDraft => ({
  subject: oneLine(title),
  parts: [...lines, { link }, STOP_TEXTS[language], { link: stopLink }],
  stopLink,
});

const MAIL_DRAFTS: MailDrafts = {
  'email-code': ({ code }) => ({
    subject: 'Your code for Nivida',
    parts: [
      'Your code is',
      { code },
      'It works for 10 minutes, only in the browser where you asked for it.',
      'If you did not ask for it, ignore this mail. Nivida never asks you for this code.',
    ],
  }),
  'already-registered': (_mail, { publicOrigin }) => ({
    subject: 'You already have a Nivida account',
    parts: [
      'A code was requested for this address, probably by you. The address already has an account, so no code was created.',
      'Sign in with your mobile number. If you no longer know the password, press "Forgot password?" there.',
      { link: publicOrigin },
      'If it was not you, ignore this mail: nothing has changed.',
    ],
  }),
  'password-reset': ({ username, link }) => ({
    subject: 'Choose a new password for Nivida',
    parts: [
      `Hello ${username},`,
      'open this link to choose a new password. It works once, within 30 minutes.',
      { link },
      'If you did not ask for it, ignore this mail: your password stays as it is.',
    ],
  }),
  'password-changed': ({ username }, { publicOrigin }) => ({
    subject: 'Your Nivida password was changed',
    parts: [
      `Hello ${username},`,
      'the password of your account was changed, and the other devices were signed out.',
      NOT_YOU_TEXT,
      { link: publicOrigin },
    ],
  }),
  'email-changed': ({ username, newEmail }, { supportEmail }) => ({
    subject: 'The e-mail address of your Nivida account was changed',
    parts: [
      `Hello ${username},`,
      `mails of your account now go to ${newEmail}, no longer to this address.`,
      supportEmail
        ? `If this was not you, write to ${supportEmail} at once.`
        : 'If this was not you, contact us at once.',
    ],
  }),
  'mobile-changed': ({ username, lastDigits }, { publicOrigin }) => ({
    subject: 'The mobile number of your Nivida account was changed',
    parts: [
      `Hello ${username},`,
      `you now sign in with the mobile number that ends in ${lastDigits}, no longer with the one before.`,
      NOT_YOU_TEXT,
      { link: publicOrigin },
    ],
  }),
  'account-deleted': ({ username, erasedOn }, { publicOrigin }) => ({
    subject: 'Your Nivida account will be erased',
    parts: [
      `Hello ${username},`,
      `your account is closed and all devices are signed out. Your personal data will be erased on ${formatDate(erasedOn)}; invoices are kept as the law requires.`,
      'If you want to keep the account, sign in before that day.',
      { link: publicOrigin },
    ],
  }),
  'account-restored': ({ username }, { publicOrigin }) => ({
    subject: 'Your Nivida account is open again',
    parts: [
      `Hello ${username},`,
      'you signed in, so your account stays and nothing will be erased.',
      NOT_YOU_TEXT,
      { link: publicOrigin },
    ],
  }),
  'order-paid': ({ orderId, title, amountPaise, receiptNumber, link, isTest }) => ({
    subject: isTest ? 'Your test payment for Nivida' : 'Your payment for Nivida',
    parts: [
      `We have received ${formatRupees(amountPaise / 100)} for: ${title}`,
      `Order ${orderId}, receipt ${receiptNumber}. The receipt is on the page of your order:`,
      { link },
      ...(isTest ? [TEST_PAYMENT] : []),
      'Reply to this mail if something does not work.',
    ],
  }),
  'order-unpaid': ({ orderId, title, amountPaise, end, link, isTest }) => ({
    subject: isTest ? 'Your test payment for Nivida was not completed' : 'Your payment for Nivida was not completed',
    parts: [
      `${UNPAID_TEXTS[end]} Nothing was bought. It was ${formatRupees(amountPaise / 100)} for: ${title}`,
      'To try again, open the page of your order:',
      { link },
      'If money left your account, do not pay again. It is matched with your order as soon as the bank confirms it, or comes back by itself within 5 working days.',
      `Order ${orderId}. Reply to this mail if something is wrong.`,
      ...(isTest ? [TEST_PAYMENT] : []),
    ],
  }),
  'order-checked': ({ orderId, title, amountPaise, paid, isLate, link, isTest }) => ({
    subject: isTest ? 'Your test payment for Nivida is being checked' : 'Your payment for Nivida is being checked',
    parts: [
      `We have received ${moneyText(paid)} for: ${title}`,
      isLate
        ? 'It came more than 7 days after you opened the payment page.'
        : `The price of your order is ${formatRupees(amountPaise / 100)}.`,
      'A person checks your order. Within 24 hours you get what you ordered, or the money goes back the way you paid. Do not pay again. We email you then.',
      { link },
      `Order ${orderId}. Reply to this mail if you have a question.`,
      ...(isTest ? [TEST_PAYMENT] : []),
    ],
  }),
  'plan-ends': ({ planName, endsAt, days, link }) => ({
    subject: days < 0 ? `Your ${planName} plan has ended` : `Your ${planName} plan ends ${inDays(days)}`,
    parts: [
      days < 0
        ? `Your ${planName} plan ended on ${formatDateTime(endsAt)}. Alerts for saved searches and included downloads have stopped.`
        : `Your ${planName} plan ends on ${formatDateTime(endsAt)}. Alerts for saved searches and included downloads stop then.`,
      'Searching, reading and reminders of bookmarked tenders stay free. Bookmarks, saved searches and documents you bought stay.',
      days < 0
        ? 'Nothing renews by itself. To go on, buy a plan:'
        : 'Nothing renews by itself. Buy the same plan before that day to add a year:',
      { link },
    ],
  }),
  'order-refunded': ({ orderId, title, amountPaise, currency, reason, creditNoteNumber, link, isTest }) => ({
    subject: isTest ? 'Your test refund from Nivida' : 'Your refund from Nivida',
    parts: [
      `We have sent ${moneyText({ amountPaise, currency })} back, because ${reason}. It was for: ${title}`,
      `Order ${orderId}. The money reaches you the way you paid, within 5 working days.`,
      ...(creditNoteNumber ? [`Credit note ${creditNoteNumber} is on the page of your order:`, { link }] : []),
      ...(isTest ? [TEST_PAYMENT] : []),
    ],
  }),
  'order-review': ({ orderId, what }, { commandName }) => ({
    subject: `Order ${orderId} needs a person`,
    parts: [what, withCommandName(`Look at it with: npm run orders -- show ${orderId}`, commandName)],
  }),
  'feed-held': ({ portal, what }, { commandName }) => ({
    subject: `The file of ${oneLine(portal)} was not imported`,
    parts: [
      `The feed ${portal} gave a file that needs a decision. Nothing of it was stored, and the stored tenders are as they were.`,
      what,
      withCommandName(
        'Import the file by hand with the option that is named (npm run import -- FILE --portal NAME --state STATE), or correct it. For a column that the portal never gives, add ;allow-missing=NAME to the feed, with dashes for spaces.',
        commandName,
      ),
      'Until then the feed is tried again at its usual times, without another mail.',
    ],
  }),
  'documents-ready': ({ orderId, title, link, expiresAt, news, isDemonstration }) => ({
    subject: news === 'changed' ? 'New version of your tender documents' : 'Your tender documents',
    parts: [
      ...(news === 'changed' ? ['The tender was changed. There is a new version of the documents you bought.'] : []),
      title,
      'Open this page and press Download:',
      { link },
      `The link works until ${formatDateTime(expiresAt)}, up to 20 times. Anyone who has the link can download, so do not share it.`,
      ...(isDemonstration ? ['DEMONSTRATION: the tender is not a live one, and its files were generated.'] : []),
      `Order ${orderId}. Reply to this mail if it does not work.`,
    ],
  }),
  'order-email-changed': ({ orderId, isNew }, { publicOrigin }) => ({
    subject: 'The e-mail address of your Nivida order was changed',
    parts: isNew
      ? [
          `Mails about order ${orderId} now come to this address. Receipt and documents are on the page of the order:`,
          { link: `${publicOrigin}/payment-status?id=${orderId}` },
          'Reply to this mail if the order is not yours.',
        ]
      : [
          `Support has corrected the e-mail address of order ${orderId}: mails about it no longer come here, and links to documents that were sent here have ended.`,
          'Reply to this mail if you bought it and did not ask for this.',
        ],
  }),
  'documents-available': ({ title, link }) => ({
    subject: 'The documents you asked for are available',
    parts: [
      'You asked for the documents of this tender. They are available now:',
      title,
      { link },
      'Official documents are free at the portal. The fee at Nivida pays for collecting, bundling and delivery.',
      'You get this mail once: the request for the documents named this address.',
    ],
  }),
  'closing-reminder': alertDraft,
  'tender-changed': alertDraft,
  'new-tenders': alertDraft,
  'document-expiry': alertDraft,
  contact: ({ replyTo, name, email, phone, company, subject, message }) => ({
    subject: oneLine(`Contact form: ${subject}`),
    replyTo,
    parts: [
      `From ${[name, email, phone && `+91 ${phone}`, company].filter(Boolean).join(', ')}`,
      ...message.split(/\n{2,}/),
    ],
  }),
};

/** Control characters would end a header line. The contract refuses them too. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for them
const oneLine = (text: string): string => text.replace(/[\u0000-\u001f\u007f\u2028\u2029]+/gu, ' ');

/** The texts of a mail. */
export function composeMail(mail: Mail, site: MailSite): ComposedMail {
  // TypeScript cannot see that the draft and the mail have the same kind.
  const draft = (MAIL_DRAFTS[mail.kind] as (mail: Mail, site: MailSite) => MailDraft)(mail, site);
  const signature = ['Nivida, tenders of India', site.publicOrigin, ...(site.supportEmail ? [site.supportEmail] : [])];
  const note = 'Nivida is not a government site. Bids are submitted at the portal that published the tender.';
  return {
    subject: draft.subject,
    ...(draft.replyTo && { replyTo: draft.replyTo }),
    ...(draft.stopLink && { stopLink: draft.stopLink }),
    text: `${[...draft.parts.map(toText), `-- \n${signature.join('\n')}\n${note}`].join('\n\n')}\n`,
    html: [
      `<!doctype html><html lang="${'language' in mail ? mail.language : 'en-IN'}"><head><meta charset="utf-8"><title>${escapeUTF8(draft.subject)}</title></head><body>`,
      ...draft.parts.map(toHtml),
      `<hr><p lang="en-IN"><small>${[...signature, note].map(escapeUTF8).join('<br>')}</small></p></body></html>`,
    ].join('\n'),
  };
}

function toText(part: MailPart): string {
  if (typeof part === 'string') return part;
  return 'code' in part ? part.code : part.link;
}

function toHtml(part: MailPart): string {
  const text = escapeUTF8(toText(part));
  if (typeof part === 'string') return `<p>${text}</p>`;
  return 'code' in part ? `<p><strong><big>${text}</big></strong></p>` : `<p><a href="${text}">${text}</a></p>`;
}
