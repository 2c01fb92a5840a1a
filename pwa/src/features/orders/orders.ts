/** The orders of the signed-in user, their receipts and their mails. */
import { Accepted } from '@nivida/contract/document';
import { OrderList, type OrderSummary } from '@nivida/contract/order';
import { keepAnswers, type Shown } from '../../data/answers.ts';
import { api } from '../../data/api.ts';
import { useOwnedList } from '../../data/owned.ts';
import { saveFile } from '../../ui/save-file.ts';

// one list per user, so that nobody is shown what the user before was answered
const lists = keepAnswers((_userId) => api.get('api/orders').json(OrderList));

/** The user's orders, newest first, and the plan that counts now; without signal as they were last told. */
export function useOrders(userId: string): Shown<OrderList> {
  return useOwnedList(userId, 'orders', lists);
}

/** Asks for the user's orders again: the plan has changed. */
export function refreshOrders(userId: string): Promise<void> {
  return lists.refresh(userId);
}

/** 'nivida-RC-26-27-0000001.pdf': the receipt's number as a file's name. */
export function receiptName(receiptNumber: string): string {
  return `nivida-${receiptNumber.replace(/[^\w-]+/g, '-')}.pdf`;
}

/** Fetches the receipt or tax invoice of a paid order and hands it to the device as a file. */
export async function saveReceipt({ orderId }: OrderSummary, receiptNumber: string): Promise<void> {
  saveFile(receiptName(receiptNumber), await api.get(`api/orders/${orderId}/receipt.pdf`).blob());
}

/** Fetches the credit note of a refunded order and hands it to the device as a file. */
export async function saveCreditNote(orderId: string, number: string): Promise<void> {
  saveFile(receiptName(number), await api.get(`api/orders/${orderId}/credit-note.pdf`).blob());
}

const FILE_NAME = /filename="([^"]+)\.pdf"/;

/** The same for an order of which only the id is known here. */
export async function saveReceiptOf(orderId: string): Promise<void> {
  const response = await api.get(`api/orders/${orderId}/receipt.pdf`);
  const number = FILE_NAME.exec(response.headers.get('content-disposition') ?? '')?.[1];
  saveFile(receiptName(number ?? 'receipt'), await response.blob());
}

/** Has the mail with the documents sent again, to the address that they were bought with; returns what the server says. */
export async function resendMail(orderId: string): Promise<string> {
  const { message } = await api.post(`api/orders/${orderId}/resend`).json(Accepted);
  return message;
}
