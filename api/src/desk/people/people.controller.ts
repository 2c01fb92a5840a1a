import { Body, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { AccountExportResponse } from '@nivida/contract/account/account-export';
import { ActRequest } from '@nivida/contract/desk/act';
import {
  EndFeedsResponse,
  EndSessionsResponse,
  GrantPlanRequest,
  GrantPlanResponse,
  PeopleQuery,
  PeopleResponse,
  PersonActResponse,
  PersonContact,
  PersonResponse,
  RevokeKeysResponse,
  UnlockResponse,
} from '@nivida/contract/desk/people';
import type { OperatorAct } from '../../audit/record-act.ts';
import { CurrentStaff, type StaffMember, StaffOnly } from '../../auth/staff/staff.guard.ts';
import { CurrentAct, DeskAct, OpensData } from '../acts/act.interceptor.ts';
import { DeskController } from '../desk-controller.ts';
import { PeopleService } from './people.service.ts';

@DeskController('people')
export class DeskPeopleController {
  constructor(private readonly people: PeopleService) {}

  /** The accounts of a search; without one those that are to be erased. */
  @Get()
  @StaffOnly('support')
  @ApiOkResponse({ standardSchema: PeopleResponse })
  async list(@Query({ schema: PeopleQuery }) { find }: PeopleQuery): Promise<PeopleResponse> {
    return { rows: find === '' ? await this.people.listErasures() : await this.people.search(find) };
  }

  @Get(':id')
  @StaffOnly('support')
  @ApiOkResponse({ standardSchema: PersonResponse })
  show(@Param('id') id: string, @CurrentStaff() { id: ownId }: StaffMember): Promise<PersonResponse> {
    return this.people.read(id, ownId);
  }

  /** E-mail address and mobile number in full, for 15 minutes. */
  @DeskAct(':id/contact')
  @OpensData()
  @StaffOnly('support')
  @ApiOkResponse({ standardSchema: PersonContact })
  openContact(
    @Param('id') id: string,
    @Body({ schema: ActRequest }) _body: ActRequest,
    @CurrentAct() act: OperatorAct,
  ): Promise<PersonContact> {
    return this.people.openContact(id, act);
  }

  /** Ends the locks of wrong passwords. */
  @DeskAct(':id/unlock')
  @StaffOnly('operator')
  @ApiOkResponse({ standardSchema: UnlockResponse })
  async unlock(
    @Param('id') id: string,
    @Body({ schema: ActRequest }) _body: ActRequest,
    @CurrentAct() act: OperatorAct,
  ): Promise<UnlockResponse> {
    return { counters: await this.people.unlock(id, act) };
  }

  /** Signs all devices out. */
  @DeskAct(':id/end-sessions')
  @StaffOnly('operator')
  @ApiOkResponse({ standardSchema: EndSessionsResponse })
  async endSessions(
    @Param('id') id: string,
    @Body({ schema: ActRequest }) _body: ActRequest,
    @CurrentAct() act: OperatorAct,
  ): Promise<EndSessionsResponse> {
    return { sessions: await this.people.endSessions(id, act) };
  }

  /** Revokes all keys for programs. */
  @DeskAct(':id/revoke-keys')
  @StaffOnly('operator')
  @ApiOkResponse({ standardSchema: RevokeKeysResponse })
  async revokeKeys(
    @Param('id') id: string,
    @Body({ schema: ActRequest }) _body: ActRequest,
    @CurrentAct() act: OperatorAct,
  ): Promise<RevokeKeysResponse> {
    return { keys: await this.people.revokeKeys(id, act) };
  }

  /** Ends all private addresses of saved searches. */
  @DeskAct(':id/end-feeds')
  @StaffOnly('operator')
  @ApiOkResponse({ standardSchema: EndFeedsResponse })
  async endFeeds(
    @Param('id') id: string,
    @Body({ schema: ActRequest }) _body: ActRequest,
    @CurrentAct() act: OperatorAct,
  ): Promise<EndFeedsResponse> {
    return { feeds: await this.people.endFeeds(id, act) };
  }

  /** Gives a plan without an order. */
  @DeskAct(':id/plans')
  @StaffOnly('operator')
  @ApiOkResponse({ standardSchema: GrantPlanResponse })
  async grantPlan(
    @Param('id') id: string,
    @Body({ schema: GrantPlanRequest }) { planId, until }: GrantPlanRequest,
    @CurrentAct() act: OperatorAct,
  ): Promise<GrantPlanResponse> {
    const given = await this.people.grantPlan(id, { planId, until }, act);
    return { id: given.id, outcome: given.outcome };
  }

  /** Ends a plan that was given. */
  @DeskAct(':id/plans/:planId/end')
  @StaffOnly('operator')
  @ApiOkResponse({ standardSchema: PersonActResponse })
  async endPlan(
    @Param('id') id: string,
    @Param('planId') planId: string,
    @Body({ schema: ActRequest }) _body: ActRequest,
    @CurrentAct() act: OperatorAct,
  ): Promise<PersonActResponse> {
    await this.people.endPlan(id, planId, act);
    return { id };
  }

  /** Opens the stored data of the account for five minutes. */
  @DeskAct(':id/export')
  @StaffOnly('operator')
  @ApiOkResponse({ standardSchema: PersonActResponse })
  async startExport(
    @Param('id') id: string,
    @Body({ schema: ActRequest }) _body: ActRequest,
    @CurrentAct() act: OperatorAct,
  ): Promise<PersonActResponse> {
    await this.people.startExport(id, act);
    return { id };
  }

  /** The stored data, for the member of staff who has opened them. */
  @Get(':id/export')
  @StaffOnly('operator')
  @ApiOkResponse({ standardSchema: AccountExportResponse })
  readExport(@Param('id') id: string, @CurrentStaff() { id: ownId }: StaffMember): Promise<AccountExportResponse> {
    return this.people.readExport(id, ownId);
  }

  /** Proposes the erasure of an account to a second person. */
  @DeskAct(':id/erase')
  @StaffOnly('owner', 'fresh')
  @ApiOkResponse({ standardSchema: PersonActResponse })
  async proposeErasure(
    @Param('id') id: string,
    @Body({ schema: ActRequest }) _body: ActRequest,
    @CurrentAct() act: OperatorAct,
  ): Promise<PersonActResponse> {
    await this.people.proposeErasure(id, act);
    return { id };
  }

  /** Stops an erasure within its seven days. */
  @DeskAct(':id/reopen')
  @StaffOnly('operator')
  @ApiOkResponse({ standardSchema: PersonActResponse })
  async reopen(
    @Param('id') id: string,
    @Body({ schema: ActRequest }) _body: ActRequest,
    @CurrentAct() act: OperatorAct,
  ): Promise<PersonActResponse> {
    await this.people.reopen(id, act);
    return { id };
  }
}
