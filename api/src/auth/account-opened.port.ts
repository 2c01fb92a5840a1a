import type { EntityManager } from 'typeorm';
import type { UserEntity } from './user.entity.ts';

/** What plans and orders do with an account that is opened, in the transaction of `manager`. */
export abstract class AccountOpened {
  /** Gives a new account its trial. */
  abstract afterRegistration(
    manager: EntityManager,
    user: Pick<UserEntity, 'id' | 'email' | 'mobileNo' | 'state'>,
  ): Promise<void>;

  /** Assigns the purchases that a guest made with the verified e-mail of the account. Runs in every sign-in. */
  abstract beforeSession(manager: EntityManager, user: Pick<UserEntity, 'id' | 'email'>): Promise<void>;
}
