/** The texts of all mails, rendered as plain text and as HTML without external resources. */
import { plural, t } from '@lingui/core/macro';
import { formatDate, formatDateTime, formatRupees } from '@nivida/contract/format';
import { currentLanguage, inLanguage } from '@nivida/contract/i18n';
import { knownLanguage, LANGUAGES } from '@nivida/contract/languages';
import { escapeUTF8 } from 'entities';
import { withCommandName } from '../base/config.ts';
import '../base/texts.ts';
import type { Mail, MailKind } from './mail.ts';
import { refundReasonText } from './refund-reasons.ts';

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

interface Home {
  /** Address of the app in the language of the mail. */
  home: string;
}

type MailDrafts = { [Kind in MailKind]: (mail: Extract<Mail, { kind: Kind }>, site: MailSite & Home) => MailDraft };

const notYouText = () =>
  t`If this was not you, choose a new password at once: open the sign-in dialog and press "Forgot password?".`;

const helloText = (username: string) => t`Hello ${username},`;

const replyNotReadText = () => t`Please do not reply to this mail: replies are not added to your message.`;

/** The paragraphs of a text with empty lines between them. */
const paragraphs = (text: string): string[] => text.split(/\n{2,}/);

const testPaymentText = () => t`This was a test: no money has moved.`;

/** '₹98.99', 'USD 99.00'. */
const moneyText = ({ amountPaise, currency }: { amountPaise: number; currency: string }): string =>
  currency === 'INR' ? formatRupees(amountPaise / 100) : `${currency} ${(amountPaise / 100).toFixed(2)}`;

function unpaidText(end: Extract<Mail, { kind: 'order-unpaid' }>['end']): string {
  if (end === 'declined') return t`Your payment was declined.`;
  return end === 'cancelled' ? t`Your payment was cancelled.` : t`Your payment was not completed in time.`;
}

/** `days` until the end; negative after it. */
function planEndText(planName: string, days: number): string {
  if (days < 0) return t`Your ${planName} plan has ended`;
  if (days === 0) return t`Your ${planName} plan ends today`;
  return days === 1 ? t`Your ${planName} plan ends tomorrow` : t`Your ${planName} plan ends in ${days} days`;
}

const alertDraft = ({ title, lines, link, stopLink }: Extract<Mail, { stopLink: unknown }>): MailDraft => ({
  subject: oneLine(title),
  parts: [
    ...lines,
    { link },
    t`You can turn these mails off in the app (Notices, then Alert settings), or stop them here:`,
    { link: stopLink },
  ],
  stopLink,
});

const MAIL_DRAFTS: MailDrafts = {
  'email-code': ({ code }) => ({
    subject: t`Your code for Nivida`,
    parts: [
      t`Your code is`,
      { code },
      t`It works for 10 minutes, only in the browser where you asked for it.`,
      t`If you did not ask for it, ignore this mail. Nivida never asks you for this code.`,
    ],
  }),
  'already-registered': (_mail, { home }) => ({
    subject: t`You already have a Nivida account`,
    parts: [
      t`A code was requested for this address, probably by you. The address already has an account, so no code was created.`,
      t`Sign in with your mobile number. If you no longer know the password, press "Forgot password?" there.`,
      { link: home },
      t`If it was not you, ignore this mail: nothing has changed.`,
    ],
  }),
  'password-reset': ({ username, link }) => ({
    subject: t`Choose a new password for Nivida`,
    parts: [
      helloText(username),
      t`open this link to choose a new password. It works once, within 30 minutes.`,
      { link },
      t`If you did not ask for it, ignore this mail: your password stays as it is.`,
    ],
  }),
  'firm-invitation': ({ firm, invitedBy, days, link }) => ({
    subject: t`${oneLine(invitedBy)} invites you to ${oneLine(firm)} on Nivida`,
    parts: [
      t`${invitedBy} invites you to work on the bids of ${firm} together: you share bids, deposits, documents and saved searches.`,
      t`Open this link and sign in with this email address. It works once, within ${plural(days, { one: '# day', other: '# days' })}.`,
      { link },
      t`If you do not know the sender, ignore this mail: nothing happens.`,
    ],
  }),
  'password-changed': ({ username }, { home }) => ({
    subject: t`Your Nivida password was changed`,
    parts: [
      helloText(username),
      t`the password of your account was changed, and the other devices were signed out.`,
      notYouText(),
      { link: home },
    ],
  }),
  'email-changed': ({ username, newEmail }, { supportEmail }) => ({
    subject: t`The e-mail address of your Nivida account was changed`,
    parts: [
      helloText(username),
      t`mails of your account now go to ${newEmail}, no longer to this address.`,
      supportEmail
        ? t`If this was not you, write to ${supportEmail} at once.`
        : t`If this was not you, contact us at once.`,
    ],
  }),
  'mobile-changed': ({ username, lastDigits }, { home }) => ({
    subject: t`The mobile number of your Nivida account was changed`,
    parts: [
      helloText(username),
      t`you now sign in with the mobile number that ends in ${lastDigits}, no longer with the one before.`,
      notYouText(),
      { link: home },
    ],
  }),
  'passkey-added': ({ username, name }, { home }) => ({
    subject: t`A passkey was added to your Nivida account`,
    parts: [
      helloText(username),
      t`you can now sign in with this passkey, too: ${name}`,
      t`If this was not you, sign in, open Settings and remove it. Then choose a new password.`,
      { link: home },
    ],
  }),
  'passkey-removed': ({ username, name }, { home }) => ({
    subject: t`A passkey was removed from your Nivida account`,
    parts: [
      helloText(username),
      t`this passkey does not open your account any more: ${name}`,
      notYouText(),
      { link: home },
    ],
  }),
  'recovery-code-used': ({ username, left }, { home }) => ({
    subject: t`A recovery code was used for your Nivida account`,
    parts: [
      helloText(username),
      t`you signed in with a recovery code instead of a passkey. This code does not work again.`,
      left === 0
        ? t`No code is left. Open Settings to make new ones.`
        : plural(left, { one: '# code is left.', other: '# codes are left.' }),
      notYouText(),
      { link: home },
    ],
  }),
  'account-deleted': ({ username, erasedOn }, { home }) => ({
    subject: t`Your Nivida account will be erased`,
    parts: [
      helloText(username),
      t`your account is closed and all devices are signed out. Your personal data will be erased on ${{ day: formatDate(erasedOn) }}; invoices are kept as the law requires.`,
      t`If you want to keep the account, sign in before that day.`,
      { link: home },
    ],
  }),
  'account-restored': ({ username, isBySupport }, { home }) => ({
    subject: t`Your Nivida account is open again`,
    parts: [
      helloText(username),
      ...(isBySupport
        ? [t`support has opened your account again: it stays and nothing will be erased. You can sign in as before.`]
        : [t`you signed in, so your account stays and nothing will be erased.`, notYouText()]),
      { link: home },
    ],
  }),
  'operator-message': ({ subject, paragraphs }) => ({
    subject: oneLine(subject),
    parts: [
      ...paragraphs,
      t`You get this mail because you have an account at Nivida. It is about the service and no advertisement.`,
    ],
  }),
  'order-paid': ({ orderId, title, amountPaise, receiptNumber, link, isTest }) => ({
    subject: isTest ? t`Your test payment for Nivida` : t`Your payment for Nivida`,
    parts: [
      receivedText(formatRupees(amountPaise / 100), title),
      t`Order ${orderId}, receipt ${receiptNumber}. The receipt is on the page of your order:`,
      { link },
      ...(isTest ? [testPaymentText()] : []),
      t`Reply to this mail if something does not work.`,
    ],
  }),
  'order-unpaid': ({ orderId, title, amountPaise, end, link, isTest }) => ({
    subject: isTest ? t`Your test payment for Nivida was not completed` : t`Your payment for Nivida was not completed`,
    parts: [
      `${unpaidText(end)} ${t`Nothing was bought. It was ${{ amount: formatRupees(amountPaise / 100) }} for: ${title}`}`,
      t`To try again, open the page of your order:`,
      { link },
      t`If money left your account, do not pay again. It is matched with your order as soon as the bank confirms it, or comes back by itself within 5 working days.`,
      t`Order ${orderId}. Reply to this mail if something is wrong.`,
      ...(isTest ? [testPaymentText()] : []),
    ],
  }),
  'order-checked': ({ orderId, title, amountPaise, paid, isLate, link, isTest }) => ({
    subject: isTest ? t`Your test payment for Nivida is being checked` : t`Your payment for Nivida is being checked`,
    parts: [
      receivedText(moneyText(paid), title),
      isLate
        ? t`It came more than 7 days after you opened the payment page.`
        : t`The price of your order is ${{ amount: formatRupees(amountPaise / 100) }}.`,
      t`A person checks your order. Within 24 hours you get what you ordered, or the money goes back the way you paid. Do not pay again. We email you then.`,
      { link },
      t`Order ${orderId}. Reply to this mail if you have a question.`,
      ...(isTest ? [testPaymentText()] : []),
    ],
  }),
  'plan-ends': ({ planName, endsAt, days, link }) => ({
    subject: planEndText(planName, days),
    parts: [
      days < 0
        ? t`Your ${planName} plan ended on ${{ end: formatDateTime(endsAt) }}. Alerts for saved searches and included downloads have stopped.`
        : t`Your ${planName} plan ends on ${{ end: formatDateTime(endsAt) }}. Alerts for saved searches and included downloads stop then.`,
      t`Searching, reading and reminders of bookmarked tenders stay free. Bookmarks, saved searches and documents you bought stay.`,
      days < 0
        ? t`Nothing renews by itself. To go on, buy a plan:`
        : t`Nothing renews by itself. Buy the same plan before that day to add a year:`,
      { link },
    ],
  }),
  'order-refunded': ({ orderId, title, amountPaise, currency, reason, creditNoteNumber, link, isTest }) => ({
    subject: isTest ? t`Your test refund from Nivida` : t`Your refund from Nivida`,
    parts: [
      t`We have sent ${{ amount: moneyText({ amountPaise, currency }) }} back, because ${{ reason: refundReasonText(reason) }}. It was for: ${title}`,
      t`Order ${orderId}. The money reaches you the way you paid, within 5 working days.`,
      ...(creditNoteNumber ? [t`Credit note ${creditNoteNumber} is on the page of your order:`, { link }] : []),
      ...(isTest ? [testPaymentText()] : []),
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
    subject: news === 'changed' ? t`New version of your tender documents` : t`Your tender documents`,
    parts: [
      ...(news === 'changed' ? [t`The tender was changed. There is a new version of the documents you bought.`] : []),
      title,
      t`Open this page and press Download:`,
      { link },
      t`The link works until ${{ end: formatDateTime(expiresAt) }}, up to 20 times. Anyone who has the link can download, so do not share it.`,
      ...(isDemonstration ? [t`DEMONSTRATION: the tender is not a live one, and its files were generated.`] : []),
      t`Order ${orderId}. Reply to this mail if it does not work.`,
    ],
  }),
  'order-email-changed': ({ orderId, isNew }, { home }) => ({
    subject: t`The e-mail address of your Nivida order was changed`,
    parts: isNew
      ? [
          t`Mails about order ${orderId} now come to this address. Receipt and documents are on the page of the order:`,
          { link: `${home}/payment-status?id=${orderId}` },
          t`Reply to this mail if the order is not yours.`,
        ]
      : [
          t`Support has corrected the e-mail address of order ${orderId}: mails about it no longer come here, and links to documents that were sent here have ended.`,
          t`Reply to this mail if you bought it and did not ask for this.`,
        ],
  }),
  'documents-available': ({ title, link }) => ({
    subject: t`The documents you asked for are available`,
    parts: [
      t`You asked for the documents of this tender. They are available now:`,
      title,
      { link },
      t`Official documents are free at the portal. The fee at Nivida pays for collecting, bundling and delivery.`,
      t`You get this mail once: the request for the documents named this address.`,
    ],
  }),
  'closing-reminder': alertDraft,
  'tender-changed': alertDraft,
  'new-tenders': alertDraft,
  'document-expiry': alertDraft,
  'support-answer': ({ username, subject, answer, files, link }) => ({
    subject: oneLine(t`Answer: ${subject}`),
    parts: [
      helloText(username),
      t`support has answered your message “${subject}”:`,
      ...paragraphs(answer),
      ...(files > 0
        ? [
            plural(files, {
              one: 'A file belongs to this answer. You find it in the app, in the conversation.',
              other: '# files belong to this answer. You find them in the app, in the conversation.',
            }),
          ]
        : []),
      t`Read the conversation and write again in the app:`,
      { link },
      replyNotReadText(),
    ],
  }),
  'visitor-answer': ({ name, subject, question, answer }, { home, supportEmail }) => ({
    subject: oneLine(t`Answer: ${subject}`),
    ...(supportEmail && { replyTo: supportEmail }),
    parts: [
      helloText(name),
      t`thank you for your message “${subject}”. Our answer:`,
      ...paragraphs(answer),
      t`You wrote:`,
      ...paragraphs(question),
      replyNotReadText(),
      t`To write again, use the contact form. With a free account you have your messages and answers in the app:`,
      { link: `${home}/contact` },
    ],
  }),
  contact: ({ replyTo, name, email, phone, company, subject, message, files, link }) => ({
    subject: oneLine(`Message: ${subject}`),
    replyTo,
    parts: [
      `From ${[name, email, phone && `+91 ${phone}`, company].filter(Boolean).join(', ')}`,
      ...paragraphs(message),
      ...(files > 0 ? [`Attached files: ${files}`] : []),
      'Answer at the desk. The sender does not see an answer there that you send by mail.',
      { link },
    ],
  }),
};

/** Control characters would end a header line. The contract refuses them too. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for them
const oneLine = (text: string): string => text.replace(/[\u0000-\u001f\u007f\u2028\u2029]+/gu, ' ');

const receivedText = (amount: string, title: string) => t`We have received ${amount} for: ${title}`;

/** The texts of a mail, in its language. */
export function composeMail(mail: Mail, site: MailSite): ComposedMail {
  const language = 'language' in mail ? mail.language : 'en';
  return inLanguage(language, () =>
    compose(mail, { ...site, home: `${site.publicOrigin}${LANGUAGES[knownLanguage(language)].prefix}` }),
  );
}

function compose(mail: Mail, site: MailSite & Home): ComposedMail {
  // TypeScript cannot see that the draft and the mail have the same kind.
  const draft = (MAIL_DRAFTS[mail.kind] as (mail: Mail, site: MailSite & Home) => MailDraft)(mail, site);
  const signature = [t`Nivida, tenders of India`, site.home, ...(site.supportEmail ? [site.supportEmail] : [])];
  const note = t`Nivida is not a government site. Bids are submitted at the portal that published the tender.`;
  return {
    subject: draft.subject,
    ...(draft.replyTo && { replyTo: draft.replyTo }),
    ...(draft.stopLink && { stopLink: draft.stopLink }),
    text: `${[...draft.parts.map(toText), `-- \n${signature.join('\n')}\n${note}`].join('\n\n')}\n`,
    html: [
      `<!doctype html><html lang="${LANGUAGES[currentLanguage()].locale}"><head><meta charset="utf-8"><title>${escapeUTF8(draft.subject)}</title></head><body>`,
      ...draft.parts.map(toHtml),
      `<hr><p><small>${[...signature, note].map(escapeUTF8).join('<br>')}</small></p></body></html>`,
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
