/** The reasons of refunds that the shop gives. They are stored in English and complete 'because', as those of the operator do. */
import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { i18n, inLanguage } from '@nivida/contract/i18n';
import { languages } from '@nivida/contract/languages';

const REASONS = {
  debitedTwice: msg`you were debited twice`,
  tooLate: msg`it came too late for your order`,
  otherAmount: msg`the amount was not that of your order`,
  wrongDocuments: msg`the documents were wrong`,
  notDelivered: msg`the documents could not be delivered`,
  accountHasThem: msg`your account has these documents already, by order ${{ order: '' }}`,
  addressHasThem: msg`this email address has these documents already, by order ${{ order: '' }}`,
  creditGone: msg`the plan that your order credited was credited to another order, replaced or refunded before you paid`,
  firmClosed: msg`the firm was closed before you paid`,
};

const textOf = (reason: MessageDescriptor, order: string): string => i18n._({ ...reason, values: { order } });

/** A reason as it is stored; `order` is the public id of the order that some reasons name. */
export const refundReason = (name: keyof typeof REASONS, order = ''): string =>
  inLanguage('en', () => textOf(REASONS[name], order));

/**
 * A stored reason in the present language; one of the operator's own words is returned unchanged. The desk offers reasons
 * in the language of its reader.
 */
export function refundReasonText(stored: string): string {
  const order = / (\S+)$/.exec(stored)?.[1] ?? '';
  const isStored = (reason: MessageDescriptor) =>
    languages().some((language) => inLanguage(language, () => textOf(reason, order)) === stored);
  const known = Object.values(REASONS).find(isStored);
  return known ? textOf(known, order) : stored;
}
