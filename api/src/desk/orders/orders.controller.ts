import { Body, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { ActRequest } from '@nivida/contract/desk/act';
import {
  ChangeEmailRequest,
  DeskOrderFile,
  DeskOrderListResponse,
  DeskOrderQuery,
  OpenedBuyer,
  OrderActResponse,
  RefundResponse,
} from '@nivida/contract/desk/orders';
import { DataSource } from 'typeorm';
import type { OperatorAct } from '../../audit/record-act.ts';
import { CurrentStaff, type StaffMember, StaffOnly } from '../../auth/staff/staff.guard.ts';
import { CurrentAct, DeskAct, OpensData } from '../acts/act.interceptor.ts';
import { ApprovalsService } from '../approvals/approvals.service.ts';
import { DeskController } from '../desk-controller.ts';
import { readDeskOrder } from './desk-order.ts';
import { OrderActsService } from './order-acts.service.ts';
import { listOrders, ORDERS_PER_PAGE } from './order-ledger.ts';

@DeskController('orders')
export class DeskOrdersController {
  constructor(
    private readonly dataSource: DataSource,
    private readonly acts: OrderActsService,
    private readonly approvals: ApprovalsService,
  ) {}

  /** Orders by a text or a status, those in review first, then the newest. */
  @Get()
  @StaffOnly('support')
  @ApiOkResponse({ standardSchema: DeskOrderListResponse })
  async list(@Query({ schema: DeskOrderQuery }) query: DeskOrderQuery): Promise<DeskOrderListResponse> {
    const { orders, total } = await listOrders(this.dataSource, { ...query, find: query.find || undefined });
    return {
      rows: orders.map(({ orderId: id, createdAt, ...row }) => ({ id, ...row, createdAt: createdAt.toISOString() })),
      total,
      pages: Math.max(1, Math.ceil(total / ORDERS_PER_PAGE)),
    };
  }

  /** One order: its ledger of events, and what its buyer sees. */
  @Get(':id')
  @StaffOnly('support')
  @ApiOkResponse({ standardSchema: DeskOrderFile })
  async show(@Param('id') id: string, @CurrentStaff() { id: ownId }: StaffMember): Promise<DeskOrderFile> {
    const file = await readDeskOrder(this.dataSource, id);
    const open = await this.approvals.findOpen('order.refund', id);
    return {
      ...file,
      proposal: open && {
        id: open.id,
        proposedBy: open.proposedBy,
        reason: open.reason,
        isOwn: open.proposedById === ownId,
      },
    };
  }

  /** Asks the payment provider now. */
  @DeskAct(':id/recheck')
  @StaffOnly('operator')
  @ApiOkResponse({ standardSchema: OrderActResponse })
  async recheck(
    @Param('id') id: string,
    @Body({ schema: ActRequest }) _body: ActRequest,
    @CurrentAct() act: OperatorAct,
  ): Promise<OrderActResponse> {
    await this.acts.recheck(id, act);
    return this.statusOf(id);
  }

  /** Mails a new link to the documents. */
  @DeskAct(':id/resend')
  @StaffOnly('operator')
  @ApiOkResponse({ standardSchema: OrderActResponse })
  async resend(
    @Param('id') id: string,
    @Body({ schema: ActRequest }) _body: ActRequest,
    @CurrentAct() act: OperatorAct,
  ): Promise<OrderActResponse> {
    await this.acts.resend(id, act);
    return this.statusOf(id);
  }

  /** Accepts the payment of an order in review. */
  @DeskAct(':id/resolve')
  @StaffOnly('operator')
  @ApiOkResponse({ standardSchema: OrderActResponse })
  async resolve(
    @Param('id') id: string,
    @Body({ schema: ActRequest }) _body: ActRequest,
    @CurrentAct() act: OperatorAct,
  ): Promise<OrderActResponse> {
    await this.acts.resolve(id, act);
    return this.statusOf(id);
  }

  /** Corrects the address of a guest's order. */
  @DeskAct(':id/email')
  @StaffOnly('operator')
  @ApiOkResponse({ standardSchema: OrderActResponse })
  async changeEmail(
    @Param('id') id: string,
    @Body({ schema: ChangeEmailRequest }) { email }: ChangeEmailRequest,
    @CurrentAct() act: OperatorAct,
  ): Promise<OrderActResponse> {
    await this.acts.changeEmail(id, email, act);
    return this.statusOf(id);
  }

  /** Refunds an order. Above the limit it is proposed to an owner. */
  @DeskAct(':id/refund')
  @StaffOnly('operator', 'fresh')
  @ApiOkResponse({ standardSchema: RefundResponse })
  async refund(
    @Param('id') id: string,
    @Body({ schema: ActRequest }) _body: ActRequest,
    @CurrentAct() act: OperatorAct,
  ): Promise<RefundResponse> {
    return { outcome: await this.acts.refund(id, act) };
  }

  /** The buyer's name, address and number in full. */
  @DeskAct(':id/buyer')
  @OpensData()
  @StaffOnly('support')
  @ApiOkResponse({ standardSchema: OpenedBuyer })
  async openBuyer(
    @Param('id') id: string,
    @Body({ schema: ActRequest }) _body: ActRequest,
    @CurrentAct() act: OperatorAct,
  ): Promise<OpenedBuyer> {
    const { buyerName: name, buyerEmail: email, buyerMobile: mobile } = await this.acts.openBuyer(id, act);
    return { name, email, mobile };
  }

  private async statusOf(id: string): Promise<OrderActResponse> {
    const { status } = await readDeskOrder(this.dataSource, id);
    return { status };
  }
}
