/** The orders of the signed-in user, their receipts and their mails. */
import { AcceptedResponse } from '@nivida/contract/orders/documents';
import { OrderListResponse, type OrderSummary } from '@nivida/contract/orders/order';
import { useAccountList } from '../../data/device/account-lists.ts';
import { api, apiOf } from '../../data/server/api.ts';
import { createQueryCache, type QueryResult } from '../../data/server/query-cache.ts';
import { saveFile } from '../../ui/save-file.ts';

// The cache is keyed by user, so that a list is never shown to the next user of the device.
const orderListCache = createQueryCache((userId) => apiOf(userId).get('api/orders').json(OrderListResponse));

/** The user's orders, newest first, and the current plan. Without a connection, as last loaded. */
export function useOrders(userId: string): QueryResult<OrderListResponse> {
  return useAccountList(userId, 'orders', orderListCache);
}

/** Loads the user's orders and plan again. */
export function refreshOrders(userId: string): Promise<void> {
  return orderListCache.refresh(userId);
}

/** File name of a receipt: 'nivida-RC-26-27-0000001.pdf'. */
export function receiptFileName(receiptNumber: string): string {
  return `nivida-${receiptNumber.replace(/[^\w-]+/g, '-')}.pdf`;
}

/** Saves the receipt or tax invoice of a paid order as a file. */
export async function saveReceipt({ orderId }: OrderSummary, receiptNumber: string): Promise<void> {
  saveFile(receiptFileName(receiptNumber), await api.get(`api/orders/${orderId}/receipt.pdf`).blob());
}

/** Saves the credit note of a refunded order as a file. */
export async function saveCreditNote(orderId: string, number: string): Promise<void> {
  saveFile(receiptFileName(number), await api.get(`api/orders/${orderId}/credit-note.pdf`).blob());
}

const FILE_NAME_PATTERN = /filename="([^"]+)\.pdf"/;

/** Saves the receipt of an order whose receipt number is unknown. */
export async function saveReceiptOfOrder(orderId: string): Promise<void> {
  const response = await api.get(`api/orders/${orderId}/receipt.pdf`);
  const number = FILE_NAME_PATTERN.exec(response.headers.get('content-disposition') ?? '')?.[1];
  saveFile(receiptFileName(number ?? 'receipt'), await response.blob());
}

/** Sends the mail with the documents to the buyer's address again. Returns the server's message. */
export async function resendDocumentMail(orderId: string): Promise<string> {
  const { message } = await api.post(`api/orders/${orderId}/resend`).json(AcceptedResponse);
  return message;
}
