/** The buyer's forms. Their input is not stored. */
import { findOutcome, type OutcomeName } from './outcomes.ts';
import type { PaymentMethod } from './protocol.ts';

/** The parts of the page that can be open. */
export type PaymentTab = 'card' | 'upi' | 'bank';

/** The accepted test cards; every other number is rejected, so that no real card is entered. */
export const TEST_CARDS = [
  { number: '4111 1111 1111 1111', outcome: 'success', label: 'pays' },
  { number: '4000 0000 0000 0002', outcome: 'fail', label: 'is declined' },
  { number: '4000 0000 0000 3220', outcome: 'verify', label: 'asks for 3-D Secure' },
] as const;

/** The banks of the page, all invented. */
export const TEST_BANKS = [
  { id: 'sandbox', name: 'Sandbox Bank', outcome: 'verify' },
  { id: 'slow', name: 'Slow Sandbox Bank (after 10 s)', outcome: 'pending-success' },
  { id: 'closed', name: 'Closed Sandbox Bank (declines)', outcome: 'fail' },
] as const;

/** A parsed form: an action, a confirmation by bank or app, or a wrong field. */
export type Action =
  | { kind: 'outcome'; name: OutcomeName; method: PaymentMethod }
  | { kind: 'verify'; method: PaymentMethod }
  | { kind: 'problem'; tab: PaymentTab; field: string; message: string };

/** Parses a form by its hidden field `form`; undefined for an unknown form. */
export function parseAction(form: URLSearchParams): Action | undefined {
  const field = (name: string) => form.get(name)?.trim() ?? '';
  switch (field('form')) {
    case 'card':
      return readCard(field);
    case 'upi':
      return readVpa(field('vpa'));
    case 'upi-app':
      return { kind: 'verify', method: 'UPI' };
    case 'bank':
      return readBank(field('bank'));
    case 'verify':
      return readVerify(field);
    case 'menu':
      return findOutcome(field('outcome')) && { kind: 'outcome', name: field('outcome') as OutcomeName, method: 'UPI' };
    case 'cancel':
      return { kind: 'outcome', name: 'cancel', method: 'UPI' };
  }
}

function readCard(field: (name: string) => string): Action {
  const problem = (name: string, message: string): Action => ({ kind: 'problem', tab: 'card', field: name, message });
  const digits = field('number').replace(/[\s-]/g, '');
  const card = TEST_CARDS.find(({ number }) => number.replaceAll(' ', '') === digits);
  if (!card) return problem('number', 'Use one of the test cards. Never type a real card here.');
  if (!/^(0[1-9]|1[0-2]) ?\/ ?\d{2}$/.test(field('expiry'))) return problem('expiry', 'Use MM/YY, like 12/30.');
  if (!/^\d{3}$/.test(field('cvv'))) return problem('cvv', 'Three digits, like 123.');
  if (card.outcome === 'verify') return { kind: 'verify', method: 'CARD' };
  return { kind: 'outcome', name: card.outcome, method: 'CARD' };
}

function readVpa(vpa: string): Action {
  const name = /^([a-z0-9-]+)@sandbox$/i.exec(vpa)?.[1]?.toLowerCase() ?? '';
  if (findOutcome(name)) return { kind: 'outcome', name: name as OutcomeName, method: 'UPI' };
  return {
    kind: 'problem',
    tab: 'upi',
    field: 'vpa',
    message: 'Use success@sandbox, fail@sandbox or another outcome.',
  };
}

function readBank(id: string): Action {
  const bank = TEST_BANKS.find((each) => each.id === id);
  if (!bank) return { kind: 'problem', tab: 'bank', field: 'bank', message: 'Choose a bank.' };
  if (bank.outcome === 'verify') return { kind: 'verify', method: 'NET_BANKING' };
  return { kind: 'outcome', name: bank.outcome, method: 'NET_BANKING' };
}

function readVerify(field: (name: string) => string): Action | undefined {
  const method = parseMethod(field('method'));
  return method && { kind: 'outcome', name: field('answer') === 'yes' ? 'success' : 'fail', method };
}

/** The payment method in an address or a form. */
export function parseMethod(text: string): PaymentMethod | undefined {
  return (['CARD', 'UPI', 'NET_BANKING'] as const).find((method) => method === text);
}
