import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Registration } from '@nivida/contract/auth';
import { departmentOf, districtOf, type Region, regionOf } from '@nivida/contract/regions';
import { DataSource } from 'typeorm';
import { AppError } from '../http/app-error.ts';
import { LimitsService, type Window } from '../http/limits.service.ts';
import { CLOCK } from '../http/tokens.ts';
import { TrialsService } from '../plans/trials.service.ts';
import { UserEntity } from '../users/user.entity.ts';
import { toConflict } from '../users/users.service.ts';
import { ConsentsService } from './consents.service.ts';
import { OtpService } from './otp.service.ts';
import { PasswordsService } from './passwords.service.ts';
import type { Visitor } from './visitor.ts';
import { type Welcome, WelcomeService } from './welcome.service.ts';

const HOUR_SECONDS = 3_600;
const PER_ADDRESS: Window[] = [{ most: 100, perSeconds: HOUR_SECONDS }];
// Each try tells whether a mobile number has an account; so each needs an address that its sender can read.
const PER_PROOF: Window[] = [{ most: 5, perSeconds: HOUR_SECONDS }];

const UNVERIFIED = refusal('email', 'Please verify your email with OTP first');

/** What registering needs beside its body. */
export interface RegistrationProof {
  /** Cookie of the browser that verified the e-mail (RESOLUTIONS R13). */
  otpContext: string | undefined;
  /** Header `X-Terms-Version`, as it came (RESOLUTIONS R12). */
  termsVersion: string | undefined;
}

/** Makes accounts. */
@Injectable()
export class RegistrationService {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(LimitsService) private readonly limits: LimitsService,
    @Inject(PasswordsService) private readonly passwords: PasswordsService,
    @Inject(OtpService) private readonly otp: OtpService,
    @Inject(ConsentsService) private readonly consents: ConsentsService,
    @Inject(WelcomeService) private readonly welcomes: WelcomeService,
    @Inject(TrialsService) private readonly trials: TrialsService,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /**
   * Makes an account and signs it in for 12 hours. INVALID with a message per field, CONFLICT for a mobile number or an
   * e-mail that has an account, TOO_MANY; the e-mail's proof is used up only when the account is made.
   */
  async register(wish: Registration, visitor: Visitor, proof: RegistrationProof): Promise<Welcome> {
    await this.limits.takeFor('register', visitor.address, PER_ADDRESS);
    const places = listedPlaces(wish);
    if (wish.maxPrice !== null && wish.maxPrice < wish.minPrice)
      throw refusal('maxPrice', 'The highest price must not be below the lowest');
    this.passwords.refuseWeak(wish.password, [wish.name, wish.email, wish.mobileNo, wish.companyName], 'password');
    if (!(await this.otp.isVerified(proof.otpContext, wish.email))) throw UNVERIFIED;
    await this.limits.take('register-proof', wish.email.toLowerCase(), PER_PROOF);
    const user = this.toAccount(wish, places, await this.passwords.hash(wish.password));
    return this.store(user, visitor, proof);
  }

  private async store(user: UserEntity, visitor: Visitor, proof: RegistrationProof): Promise<Welcome> {
    try {
      return await this.dataSource.transaction(async (manager) => {
        if (!(await this.otp.consume(manager, proof.otpContext, user.email))) throw UNVERIFIED;
        await manager.getRepository(UserEntity).insert(user);
        await this.consents.record(manager, user.id, {
          purpose: 'account',
          termsVersion: statedVersion(proof.termsVersion),
          address: visitor.ip,
        });
        await this.trials.start(manager, user);
        return this.welcomes.welcome(manager, user, visitor, { way: 'registration', remembered: false });
      });
    } catch (error) {
      // The index decides between two that race for a number, so nobody needs to look first.
      throw toConflict(error);
    }
  }

  private toAccount(wish: Registration, places: Places, passwordHash: string): UserEntity {
    return {
      id: randomUUID(),
      username: wish.name,
      email: wish.email,
      mobileNo: wish.mobileNo,
      passwordHash,
      companyName: wish.companyName,
      companyType: wish.companyType,
      ...places,
      address: wish.address,
      gstin: '',
      billingFirm: '',
      billingAddress: '',
      minPrice: wish.minPrice.toFixed(2),
      maxPrice: wish.maxPrice === null ? null : wish.maxPrice.toFixed(2),
      createdAt: this.now(),
      deletedAt: null,
    };
  }
}

type Places = Pick<UserEntity, 'state' | 'districts' | 'departments'>;

/** The places under their listed names, each once; INVALID for one that is not listed. */
function listedPlaces(wish: Registration): Places {
  const region = regionOf(wish.state);
  if (!region) throw refusal('state', 'Please choose a state from the list');
  return {
    state: region.state.name,
    districts: listed(wish.districts, 'districts', region, districtOf),
    departments: listed(wish.departments, 'departments', region, departmentOf),
  };
}

function listed(
  names: string[],
  field: string,
  region: Region,
  find: (region: Region, name: string) => { name: string } | undefined,
): string[] {
  const found = names.map((name) => find(region, name)?.name);
  if (found.includes(undefined)) throw refusal(field, `Please choose ${field} of ${region.state.name} from the list`);
  return [...new Set(found as string[])];
}

/** A version is a day. Clients that only know SPEC's payload state none; what they agreed to is what stood there then. */
function statedVersion(header: string | undefined): string {
  return header !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(header) ? header : 'not stated';
}

function refusal(field: string, message: string): AppError {
  return new AppError('INVALID', message, { [field]: message });
}
