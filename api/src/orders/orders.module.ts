import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.ts';
import { FirmsModule } from '../firms/firms.module.ts';
import { InvoicesModule } from '../invoices/invoices.module.ts';
import { RecurringJobs } from '../jobs/job.ts';
import { PlansModule } from '../plans/plans.module.ts';
import { BuyerAccountService } from './buyer-account.service.ts';
import { CatalogueService } from './catalogue.service.ts';
import { CheckoutService } from './checkout/checkout.service.ts';
import { FirmPlansController } from './firm-plans.controller.ts';
import { FirmPlansService } from './firm-plans.service.ts';
import { OrderListService } from './order-list.service.ts';
import { OrderPlacementService } from './order-placement.service.ts';
import { OrdersController } from './orders.controller.ts';
import { PayPageController } from './pay-page/pay-page.controller.ts';
import { PayPageService } from './pay-page/pay-page.service.ts';
import { RefundsService } from './refunds/refunds.service.ts';
import { auditPaymentsJob, ProviderAuditService } from './settlement/provider-audit.service.ts';
import { ReconcileService, reconcileOrdersJob } from './settlement/reconcile.service.ts';
import { SettleService } from './settlement/settle.service.ts';
import { OrderStatusController } from './status/order-status.controller.ts';
import { OrderStatusService } from './status/order-status.service.ts';
import { WebhooksController } from './webhooks/webhooks.controller.ts';
import { WebhooksService } from './webhooks/webhooks.service.ts';

@RecurringJobs([reconcileOrdersJob, auditPaymentsJob])
@Module({
  imports: [AuthModule, FirmsModule, InvoicesModule, PlansModule],
  controllers: [OrdersController, FirmPlansController, OrderStatusController, WebhooksController, PayPageController],
  providers: [
    OrderPlacementService,
    CatalogueService,
    FirmPlansService,
    CheckoutService,
    SettleService,
    RefundsService,
    ReconcileService,
    ProviderAuditService,
    OrderStatusService,
    WebhooksService,
    PayPageService,
    OrderListService,
    BuyerAccountService,
  ],
  exports: [BuyerAccountService, OrderListService, RefundsService, SettleService],
})
export class OrdersModule {}
