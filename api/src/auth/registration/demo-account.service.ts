import { Inject, Injectable } from '@nestjs/common';
import { DataSource, IsNull, Not } from 'typeorm';
import type { Config } from '../../base/config.ts';
import { CLOCK, CONFIG } from '../../base/injection-tokens.ts';
import { AccountOpened } from '../account-opened.port.ts';
import { PasswordsService } from '../passwords/passwords.service.ts';
import { SessionsService } from '../sessions/sessions.service.ts';
import { newAccountRow, UserEntity } from '../user.entity.ts';

/** The sign-in of a demonstration, which README names. */
export const DEMO_SIGN_IN = { mobileNo: '+919000000000', password: 'try-nivida' };
const DEMO_EMAIL = 'demonstration@example.org';

/** The account of a demonstration. Everybody knows its password, so it does not exist in production. */
@Injectable()
export class DemoAccountService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly passwords: PasswordsService,
    private readonly sessions: SessionsService,
    private readonly accountOpened: AccountOpened,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** At each start: opens the account where a demonstration has no accounts yet; in production ends its password and sessions. */
  async apply(): Promise<void> {
    if (this.config.production) await this.close();
    else if (this.config.demo && !(await this.dataSource.getRepository(UserEntity).exists())) await this.open();
  }

  private async open(): Promise<void> {
    const user = newAccountRow({
      username: 'Demonstration',
      email: DEMO_EMAIL,
      mobileNo: DEMO_SIGN_IN.mobileNo,
      passwordHash: await this.passwords.hash(DEMO_SIGN_IN.password),
      companyName: 'Demonstration',
      companyType: 'proprietorship',
      state: 'Himachal Pradesh',
      createdAt: this.now(),
    });
    await this.dataSource.transaction(async (manager) => {
      const { raw } = await manager
        .createQueryBuilder()
        .insert()
        .into(UserEntity)
        .values(user)
        .orIgnore()
        .returning('id')
        .execute();
      // Several processes may start at once.
      if (raw.length > 0) await this.accountOpened.afterRegistration(manager, user);
    });
  }

  private async close(): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const users = manager.getRepository(UserEntity);
      const known = { mobileNo: DEMO_SIGN_IN.mobileNo, email: DEMO_EMAIL, passwordHash: Not(IsNull()) };
      const user = await users.findOneBy(known);
      if (!user) return;
      await users.update(user.id, { passwordHash: null });
      await this.sessions.endAll(manager, user.id);
    });
  }
}
