/** The orders of the signed-in user, their receipts and their mails. */
import { AcceptedResponse } from '@nivida/contract/orders/documents';
import { OrderListResponse, type OrderSummary } from '@nivida/contract/orders/order';
import { useAccountList } from '../../data/device/account-lists.ts';
import { api } from '../../data/server/api.ts';
import { createQueryCache, type QueryResult } from '../../data/server/query-cache.ts';
import { saveFile } from '../../ui/save-file.ts';

// one list per user, so that nobody is shown what the user before was answered
const orderListCache = createQueryCache((_userId) => api.get('api/orders').json(OrderListResponse));

/** The user's orders, newest first, and the plan that counts now; without signal as they were last told. */
export function useOrders(userId: string): QueryResult<OrderListResponse> {
  return useAccountList(userId, 'orders', orderListCache);
}

/** Asks for the user's orders again: the plan has changed. */
export function refreshOrders(userId: string): Promise<void> {
  return orderListCache.refresh(userId);
}

/** 'nivida-RC-26-27-0000001.pdf': the receipt's number as a file's name. */
export function receiptFileName(receiptNumber: string): string {
  return `nivida-${receiptNumber.replace(/[^\w-]+/g, '-')}.pdf`;
}

/** Fetches the receipt or tax invoice of a paid order and hands it to the device as a file. */
export async function saveReceipt({ orderId }: OrderSummary, receiptNumber: string): Promise<void> {
  saveFile(receiptFileName(receiptNumber), await api.get(`api/orders/${orderId}/receipt.pdf`).blob());
}

/** Fetches the credit note of a refunded order and hands it to the device as a file. */
export async function saveCreditNote(orderId: string, number: string): Promise<void> {
  saveFile(receiptFileName(number), await api.get(`api/orders/${orderId}/credit-note.pdf`).blob());
}

const FILE_NAME_PATTERN = /filename="([^"]+)\.pdf"/;

/** The same for an order of which only the id is known here. */
export async function saveReceiptOfOrder(orderId: string): Promise<void> {
  const response = await api.get(`api/orders/${orderId}/receipt.pdf`);
  const number = FILE_NAME_PATTERN.exec(response.headers.get('content-disposition') ?? '')?.[1];
  saveFile(receiptFileName(number ?? 'receipt'), await response.blob());
}

/** Has the mail with the documents sent again, to the address that they were bought with; returns what the server says. */
export async function resendDocumentMail(orderId: string): Promise<string> {
  const { message } = await api.post(`api/orders/${orderId}/resend`).json(AcceptedResponse);
  return message;
}
