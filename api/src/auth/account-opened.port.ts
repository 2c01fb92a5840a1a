import type { EntityManager } from 'typeorm';
import type { UserEntity } from './user.entity.ts';

/** Port to plans and orders for accounts that are registered or signed in. Both methods run in the transaction of `manager`. */
export abstract class AccountOpened {
  /** Grants the trial of a new account. */
  abstract afterRegistration(
    manager: EntityManager,
    user: Pick<UserEntity, 'id' | 'email' | 'mobileNo' | 'state'>,
  ): Promise<void>;

  /** Assigns guest purchases made with the account's verified e-mail. It runs at every sign-in. */
  abstract beforeSession(manager: EntityManager, user: Pick<UserEntity, 'id' | 'email'>): Promise<void>;
}
