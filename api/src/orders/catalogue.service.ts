import { t } from '@lingui/core/macro';
import { Inject, Injectable } from '@nestjs/common';
import type { FirmPlanOffer } from '@nivida/contract/firms/firms';
import { inLanguage } from '@nivida/contract/i18n';
import { MAX_INTEGER_ID } from '@nivida/contract/limits';
import { stateOfGstin } from '@nivida/contract/orders/gst';
import {
  type BillingDetails,
  type CreateOrderRequest,
  DOCUMENT_PRICE_PAISE,
  gstinStateError,
  missingBilling,
} from '@nivida/contract/orders/order';
import { orderTitle } from '@nivida/contract/orders/order-title';
import { FIRM_PLAN, PLANS } from '@nivida/contract/orders/plans';
import { findRegion } from '@nivida/contract/regions/regions';
import { isOpenForBids } from '@nivida/contract/tenders/status';
import { DataSource } from 'typeorm';
import type { UserEntity } from '../auth/user.entity.ts';
import {
  AppError,
  type AppErrorText,
  forPrograms,
  invalidField,
  signInRequired,
  tenderNotFound,
} from '../base/app-error.ts';
import { CLOCK } from '../base/injection-tokens.ts';
import { validatePlanStates } from '../plans/plans.service.ts';
import { TenderEntity } from '../tenders/tender.entity.ts';
import { DocumentDelivery, packageKey } from './document-delivery.port.ts';
import { FirmPlansService } from './firm-plans.service.ts';
import type { OrderEntity } from './order.entity.ts';

/** The ordered product. Only the choice comes from the buyer; price and title do not. */
export type OrderedProduct = Pick<
  OrderEntity,
  'product' | 'tenderId' | 'nit' | 'planId' | 'states' | 'title' | 'amountPaise' | 'billingState' | 'firmId' | 'credits'
> & {
  /** The firm's data for the invoice; the buyer's own ones without it. */
  invoice?: FirmPlanOffer['invoice'];
};

/** Products and their prices on the server. */
@Injectable()
export class CatalogueService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly delivery: DocumentDelivery,
    private readonly firmPlans: FirmPlansService,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /**
   * The requested product at its price. INVALID (422) for another price, an unlisted state or too many states;
   * NOT_FOUND for a tender that is not published; CONFLICT for a closed tender and for documents that cannot be
   * delivered now.
   */
  async resolveProduct(order: CreateOrderRequest, user: UserEntity | undefined): Promise<OrderedProduct> {
    if (order.product === 'yearly-subscription' && order.firmId !== undefined)
      return this.firmPlan({ ...order, firmId: order.firmId }, user);
    const billingState = resolveBillingState(order, user);
    return order.product === 'tender-documents'
      ? this.documentProduct(order, billingState)
      : planProduct(order, billingState, user);
  }

  /** The plan of a firm, whose name, address and GSTIN the invoice has. */
  private async firmPlan(
    order: Extract<CreateOrderRequest, { product: 'yearly-subscription' }> & { firmId: string },
    user: UserEntity | undefined,
  ): Promise<OrderedProduct> {
    if (!user) throw signInRequired();
    const { firmId, product, planId, amount } = order;
    if (planId !== 'enterprise') throw unprocessable('planId', forPrograms("A firm's plan has the planId enterprise"));
    const { totalPaise, credits, invoice } = await this.firmPlans.quote(user.id, firmId);
    assertPrice(amount, totalPaise);
    const { firm, address: firmAddress, gstin } = invoice;
    const billingState = resolveBillingState({ ...order, gstin, firm, firmAddress }, user);
    return {
      ...{ product, tenderId: null, nit: null, planId, states: [], firmId, credits, billingState, invoice },
      title: FIRM_PLAN.title,
      amountPaise: totalPaise,
    };
  }

  private async documentProduct(
    order: Extract<CreateOrderRequest, { product: 'tender-documents' }>,
    billingState: string,
  ): Promise<OrderedProduct> {
    const { product, tenderId, documentId = tenderId, amount } = order;
    if (documentId !== tenderId)
      throw unprocessable('documentId', forPrograms('documentId is not the id of the tender'));
    assertPrice(amount, DOCUMENT_PRICE_PAISE);
    const tender = await this.findTender(Number(tenderId));
    const nit = packageKey(tender);
    if (!isOpenForBids({ stage: tender.stage, closing_date: tender.closesAt }, this.now()))
      throw new AppError('CONFLICT', () => t`This tender has closed. Its documents are not sold.`);
    if (!(await this.delivery.isReady(nit, tender.id)))
      throw new AppError('CONFLICT', () => t`Documents are not available yet`);
    return {
      product,
      tenderId: tender.id,
      nit,
      planId: null,
      states: [],
      firmId: null,
      credits: [],
      title: tender.title,
      amountPaise: DOCUMENT_PRICE_PAISE,
      billingState: billingState || tender.state,
    };
  }

  private async findTender(id: number): Promise<TenderEntity> {
    const tender = await this.dataSource.getRepository(TenderEntity).findOneBy({ id: Math.min(id, MAX_INTEGER_ID) });
    if (!tender || tender.publishedAt > this.now()) throw tenderNotFound();
    return tender;
  }
}

function planProduct(
  order: Extract<CreateOrderRequest, { product: 'yearly-subscription' }>,
  billingState: string,
  user: UserEntity | undefined,
): OrderedProduct {
  const { product, planId, amount } = order;
  const { pricePaise } = PLANS[planId];
  assertPrice(amount, pricePaise);
  // The body in SPEC has no states. Then the plan covers the buyer's own state, or the buyer chooses states later.
  const home = user?.state ?? billingState;
  const states = validatePlanStates(planId, order.states.length > 0 || home === '' ? order.states : [home]);
  return {
    product,
    tenderId: null,
    nit: null,
    planId,
    states,
    firmId: null,
    credits: [],
    title: inLanguage('en', () => orderTitle({ planId, title: '' })),
    amountPaise: pricePaise,
    billingState: billingState || (states[0] ?? ''),
  };
}

/** Compares the client's amount, which is never used as the price (R40). */
function assertPrice(amount: number | string, pricePaise: number): void {
  // Rupees are sent as 99, "99" or 99.00; binary fractions are inexact.
  if (Math.abs(Number(amount) * 100 - pricePaise) > 1e-6) throw unprocessable('amount', () => t`Price has changed`);
}

/** The State for the invoice: from the GSTIN, else the chosen one, else from the profile. INVALID (422). */
function resolveBillingState(
  { billingState, gstin, ...order }: CreateOrderRequest,
  user: UserEntity | undefined,
): string {
  const missing = () => missingBilling({ gstin, ...order });
  const [field] = Object.keys(missing()) as (keyof BillingDetails)[];
  if (field) throw unprocessable(field, () => missing()[field] ?? '');
  const chosen = billingState === '' ? '' : assertListedState(billingState);
  const wrong = () => gstinStateError({ gstin, billingState: chosen });
  if (wrong()) throw unprocessable('gstin', () => wrong() ?? '');
  return stateOfGstin(gstin) ?? (chosen || (user?.state ?? ''));
}

function assertListedState(name: string): string {
  const region = findRegion(name);
  if (!region) throw unprocessable('billingState', () => t`Please choose a state from the list`);
  return region.state.name;
}

const unprocessable = (field: string, text: AppErrorText) => invalidField(field, text, 422);
