import { Inject, Injectable } from '@nestjs/common';
import type { PlanCredit } from '@nivida/contract/firms/firms';
import { inLanguage } from '@nivida/contract/i18n';
import type { Language } from '@nivida/contract/languages';
import { stateOfGstin } from '@nivida/contract/orders/gst';
import { ORDER_ID_PATTERN } from '@nivida/contract/orders/order';
import { orderTitle } from '@nivida/contract/orders/order-title';
import { PLANS, type PlanId } from '@nivida/contract/orders/plans';
import { DataSource, type EntityManager } from 'typeorm';
import type { Config } from '../base/config.ts';
import { CONFIG } from '../base/injection-tokens.ts';
import { splitGst } from './gst-split.ts';
import { financialYear, formatInvoiceNumber, type InvoiceContent, type InvoiceKind } from './invoice.ts';
import {
  INSERT_INVOICE,
  INVOICED_ORDER,
  INVOICES_OF_ORDER,
  NEXT_INVOICE_NO,
  ORDER_OF_KNOWN_BUYER,
} from './invoices.sql.ts';

/** A numbered invoice. */
export interface IssuedInvoice {
  kind: InvoiceKind;
  number: string;
  issuedAt: Date;
  content: InvoiceContent;
}

interface OrderRow {
  id: string;
  public_id: string;
  title: string;
  plan_id: PlanId | null;
  buyer_name: string;
  billing_state: string;
  gstin: string;
  buyer_firm: string;
  buyer_address: string;
  firm_id: string | null;
  credits: PlanCredit[];
  live: boolean;
  language: Language;
  starts_at: Date | null;
  ends_at: Date | null;
}

/** The capture that paid an order. */
export interface PaidAmount {
  amountPaise: number;
  providerPaymentId: string;
  method: string | null;
}

/** Invoice kinds for a payment and for its refund. */
const SERIES = {
  test: { issue: 'TEST', credit: 'TEST' },
  /** A registered seller's tax invoices and credit notes. */
  registered: { issue: 'TN', credit: 'CN' },
  /** Receipts for payments and for refunds of a seller without a GSTIN. */
  unregistered: { issue: 'RC', credit: 'RF' },
};

/** Issues invoices in series without gaps. */
@Injectable()
export class InvoicesService {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Issues the receipt or tax invoice of a paid order over the captured amount. Call it last in the settling transaction,
   * because it locks the series until the transaction ends. A rollback frees the number.
   */
  async issueInvoice(
    manager: EntityManager,
    order: { id: string },
    paid: PaidAmount,
    now: Date,
  ): Promise<{ number: string }> {
    const row = await this.readOrder(manager, order.id);
    const { gstin } = this.config;
    const content = this.contentOf(row, paid, now);
    const series = this.seriesOf(row.live).issue;
    return this.storeInvoice(manager, row.id, gstin ? 'invoice' : 'receipt', series, content, now);
  }

  /**
   * Issues the credit note of a refunded order, as the last step of its transaction; null when the order has no
   * invoice.
   */
  async issueCreditNote(manager: EntityManager, order: { id: string }, now: Date): Promise<{ number: string } | null> {
    const issued = (await this.readInvoices(manager, order.id)).find(({ kind }) => kind !== 'credit_note');
    if (!issued) return null;
    const against = { number: issued.number, issuedAt: issued.issuedAt.toISOString() };
    const series = this.seriesOf(!issued.content.isTest, issued.kind === 'invoice').credit;
    return this.storeInvoice(manager, order.id, 'credit_note', series, { ...issued.content, against }, now);
  }

  /**
   * An order's invoices by its public id: the receipt or tax invoice, then the credit note. Empty for an unknown order and
   * for an erased buyer, whose invoices are kept for the tax office only.
   */
  async findByOrder(publicId: string): Promise<{ userId: string | null; invoices: IssuedInvoice[] }> {
    if (!ORDER_ID_PATTERN.test(publicId)) return { userId: null, invoices: [] };
    const rows: { id: string; user_id: string | null }[] = await this.dataSource.query(ORDER_OF_KNOWN_BUYER, [
      publicId,
    ]);
    const [order] = rows;
    if (!order) return { userId: null, invoices: [] };
    return { userId: order.user_id, invoices: await this.readInvoices(this.dataSource.manager, order.id) };
  }

  private async readInvoices(manager: EntityManager, orderId: string): Promise<IssuedInvoice[]> {
    const rows: { kind: InvoiceKind; number: string; issued_at: Date; content: InvoiceContent }[] = await manager.query(
      INVOICES_OF_ORDER,
      [orderId],
    );
    return rows.map(({ issued_at, ...invoice }) => ({ ...invoice, issuedAt: issued_at }));
  }

  private async readOrder(manager: EntityManager, id: string): Promise<OrderRow> {
    const rows: OrderRow[] = await manager.query(INVOICED_ORDER, [id]);
    const [row] = rows;
    if (!row) throw new Error(`There is no order ${id}`);
    return row;
  }

  private seriesOf(live: boolean, registered = this.config.gstin !== undefined) {
    if (!live) return SERIES.test;
    return registered ? SERIES.registered : SERIES.unregistered;
  }

  private contentOf(row: OrderRow, paid: PaidAmount, now: Date): InvoiceContent {
    const { amountPaise: totalPaise, providerPaymentId: reference, method } = paid;
    const { gstin, gstSac, legalName, legalAddress, supportEmail, supportPhone } = this.config;
    const state = gstin ? (stateOfGstin(gstin) ?? '') : '';
    // A registered buyer's place of supply is the State of registration, not the chosen State.
    const buyerState = stateOfGstin(row.gstin) ?? row.billing_state;
    const split = gstin ? splitGst(totalPaise, state, buyerState) : { taxablePaise: totalPaise, taxes: [] };
    return {
      seller: {
        name: legalName ?? 'Nivida',
        address: legalAddress ?? '',
        gstin: gstin ?? '',
        state,
        email: supportEmail ?? '',
        phone: supportPhone ?? '',
      },
      buyer: {
        name: row.buyer_name,
        state: buyerState || state,
        gstin: row.gstin,
        ...((row.gstin || row.firm_id) && { firm: row.buyer_firm, address: row.buyer_address }),
      },
      orderId: row.public_id,
      description: row.plan_id
        ? inLanguage('en', () => orderTitle({ planId: row.plan_id, title: row.title }))
        : `Tender documents, collecting and delivery: ${row.title}`,
      ...(row.credits.length > 0 && {
        credits: row.credits.map(({ planId, unusedDays, paise }) => ({
          planName: PLANS[planId as PlanId].name,
          unusedDays,
          paise,
        })),
      }),
      sac: gstin ? gstSac : '',
      ...split,
      totalPaise,
      period: { from: (row.starts_at ?? now).toISOString(), to: row.ends_at?.toISOString() ?? null },
      payment: { reference, method, paidAt: now.toISOString() },
      isTest: !row.live,
      language: row.language,
    };
  }

  private async storeInvoice(
    manager: EntityManager,
    orderId: string,
    kind: InvoiceKind,
    series: string,
    content: InvoiceContent,
    now: Date,
  ): Promise<{ number: string }> {
    const year = financialYear(now);
    const [{ last_no: no }]: [{ last_no: number }] = await manager.query(NEXT_INVOICE_NO, [series, year]);
    const number = formatInvoiceNumber(series, year, no);
    await manager.query(INSERT_INVOICE, [orderId, kind, series, year, no, number, now, content]);
    return { number };
  }
}
