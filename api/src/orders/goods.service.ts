import { Inject, Injectable } from '@nestjs/common';
import { stateOfGstin } from '@nivida/contract/gst';
import { DOCUMENT_PRICE_PAISE, missingBilling, type NewOrder, wrongGstinState } from '@nivida/contract/order';
import { PLANS } from '@nivida/contract/plans';
import { regionOf } from '@nivida/contract/regions';
import { DataSource } from 'typeorm';
import { AppError } from '../http/app-error.ts';
import { CLOCK } from '../http/tokens.ts';
import { chosenStates } from '../plans/states.service.ts';
import { isSold, TenderEntity } from '../tenders/tender.entity.ts';
import type { UserEntity } from '../users/user.entity.ts';
import { DocumentDelivery, nitOf } from './delivery.service.ts';
import type { OrderEntity } from './order.entity.ts';

/** What an order is for; none of it comes from the buyer but the choice. */
export type Goods = Pick<
  OrderEntity,
  'product' | 'tenderId' | 'nit' | 'planId' | 'states' | 'title' | 'amountPaise' | 'billingState'
>;

// integer of PostgreSQL
const LARGEST_ID = 2_147_483_647;

/** The server's catalogue. */
@Injectable()
export class GoodsService {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(DocumentDelivery) private readonly delivery: DocumentDelivery,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /**
   * What somebody wants to buy, at its price. INVALID (422) for another price, an unlisted state or too many of them;
   * NOT_FOUND for a tender that is not published; CONFLICT for one that has closed, and for documents that cannot be delivered now.
   */
  async find(wish: NewOrder, user: UserEntity | undefined): Promise<Goods> {
    const billingState = billingStateOf(wish, user);
    return wish.product === 'tender-documents' ? this.documents(wish, billingState) : plan(wish, billingState, user);
  }

  private async documents(
    wish: Extract<NewOrder, { product: 'tender-documents' }>,
    billingState: string,
  ): Promise<Goods> {
    const { product, tenderId, documentId = tenderId, amount } = wish;
    if (documentId !== tenderId) throw refusal('documentId', 'documentId is not the id of the tender');
    refuseOtherPrice(amount, DOCUMENT_PRICE_PAISE);
    const tender = await this.tender(Number(tenderId));
    const nit = nitOf(tender);
    if (!isSold(tender, this.now()))
      throw new AppError('CONFLICT', 'This tender has closed. Its documents are not sold.');
    if (!(await this.delivery.isReady(nit, tender.id)))
      throw new AppError('CONFLICT', 'Documents are not available yet');
    return {
      product,
      tenderId: tender.id,
      nit,
      planId: null,
      states: [],
      title: tender.title,
      amountPaise: DOCUMENT_PRICE_PAISE,
      billingState: billingState || tender.state,
    };
  }

  private async tender(id: number): Promise<TenderEntity> {
    const tender = await this.dataSource.getRepository(TenderEntity).findOneBy({ id: Math.min(id, LARGEST_ID) });
    if (!tender || tender.publishedAt > this.now()) throw new AppError('NOT_FOUND', 'Tender not found');
    return tender;
  }
}

function plan(
  wish: Extract<NewOrder, { product: 'yearly-subscription' }>,
  billingState: string,
  user: UserEntity | undefined,
): Goods {
  const { product, planId, amount } = wish;
  const { name, pricePaise } = PLANS[planId];
  refuseOtherPrice(amount, pricePaise);
  // Clients that know only SPEC's body choose none: it is theirs, or chosen later.
  const home = user?.state ?? billingState;
  const states = chosenStates(planId, wish.states.length > 0 || home === '' ? wish.states : [home]);
  return {
    product,
    tenderId: null,
    nit: null,
    planId,
    states,
    title: `${name} plan, one year`,
    amountPaise: pricePaise,
    billingState: billingState || (states[0] ?? ''),
  };
}

/** The buyer's amount is only compared (RESOLUTIONS R40). */
function refuseOtherPrice(amount: number | string, pricePaise: number): void {
  // Rupees are sent as 99, "99" or 99.00; binary fractions are a hair off.
  if (Math.abs(Number(amount) * 100 - pricePaise) > 1e-6) throw refusal('amount', 'Price has changed');
}

/** The State for the invoice: that of the GSTIN, the chosen one, or that of the profile. INVALID (422). */
function billingStateOf({ billingState, gstin, ...wish }: NewOrder, user: UserEntity | undefined): string {
  const [missing] = Object.entries(missingBilling({ gstin, ...wish }));
  if (missing) throw refusal(...missing);
  const chosen = billingState === '' ? '' : listedState(billingState);
  const wrong = wrongGstinState({ gstin, billingState: chosen });
  if (wrong) throw refusal('gstin', wrong);
  return stateOfGstin(gstin) ?? (chosen || (user?.state ?? ''));
}

function listedState(name: string): string {
  const region = regionOf(name);
  if (!region) throw refusal('billingState', 'Please choose a state from the list');
  return region.state.name;
}

const refusal = (field: string, message: string) => new AppError('INVALID', message, { [field]: message }, 422);
