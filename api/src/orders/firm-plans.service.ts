import { Inject, Injectable } from '@nestjs/common';
import type { FirmPlanOffer } from '@nivida/contract/firms/firms';
import { creditPaise, FIRM_PLAN, type PlanId } from '@nivida/contract/orders/plans';
import { DAY_MS } from '@nivida/contract/time';
import { DataSource, type EntityManager } from 'typeorm';
import { CLOCK } from '../base/injection-tokens.ts';
import { FirmEntity } from '../firms/firm.entity.ts';
import { FirmAccessService } from '../firms/firm-access.service.ts';
import { PaymentGateway } from '../payments/payment-gateway.port.ts';
import { PlansService } from '../plans/plans.service.ts';
import type { StoredCredit } from './order.entity.ts';

/** At least one rupee is paid: the provider takes no order without an amount. */
const MIN_TOTAL_PAISE = 100;

/** A bought plan of an account with what was paid for it. */
export interface CreditablePlan {
  id: string;
  planId: PlanId;
  startsAt: Date;
  endsAt: Date;
  paidPaise: number;
}

/**
 * The credits for plans that a firm's plan ends: whole unused days, in whole rupees. A plan whose credit would leave less
 * than a rupee to pay is not ended and not credited.
 */
export function creditsFor(plans: readonly CreditablePlan[], pricePaise: number, now: Date): StoredCredit[] {
  const credits: StoredCredit[] = [];
  let left = pricePaise;
  for (const { id, planId, startsAt, endsAt, paidPaise } of plans) {
    const unusedDays = Math.floor((endsAt.getTime() - Math.max(now.getTime(), startsAt.getTime())) / DAY_MS);
    const paise = creditPaise(paidPaise, unusedDays);
    if (paise === 0 || left - paise < MIN_TOTAL_PAISE) continue;
    left -= paise;
    credits.push({ entitlementId: id, planId, unusedDays, paise });
  }
  return credits;
}

/** Price and credit of a firm's plan for a buyer. Both come from the server alone. */
@Injectable()
export class FirmPlansService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly access: FirmAccessService,
    private readonly plans: PlansService,
    private readonly gateway: PaymentGateway,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** The offer for an owner of the firm. NOT_A_MEMBER; FORBIDDEN for other members. */
  async offer(userId: string, firmId: string): Promise<FirmPlanOffer> {
    const { credits, ...offer } = await this.quote(userId, firmId);
    return { ...offer, credits: credits.map(({ entitlementId: _, ...credit }) => credit) };
  }

  /** The offer, with the entitlements that the order ends. */
  async quote(userId: string, firmId: string): Promise<Omit<FirmPlanOffer, 'credits'> & { credits: StoredCredit[] }> {
    return this.dataSource.transaction(async (manager) => {
      await this.access.lockForOwner(manager, firmId, userId);
      const { name, address, gstin } = await manager.findOneByOrFail(FirmEntity, { id: firmId });
      const { pricePaise } = FIRM_PLAN;
      const credits = await this.credits(manager, userId, firmId);
      const totalPaise = credits.reduce((total, { paise }) => total - paise, pricePaise);
      return { pricePaise, credits, totalPaise, invoice: { firm: name, address, gstin } };
    });
  }

  /** None while the firm has a plan: the new year begins later, and own plans would end before it. */
  private async credits(manager: EntityManager, userId: string, firmId: string): Promise<StoredCredit[]> {
    if ((await this.access.planEnd(firmId, manager)) !== null) return [];
    const now = this.now();
    const plans = await this.plans.creditable(manager, { userId, firmId, live: this.gateway.live }, now);
    return creditsFor(plans, FIRM_PLAN.pricePaise, now);
  }
}
