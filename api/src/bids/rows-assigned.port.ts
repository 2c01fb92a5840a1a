import type { EntityManager } from 'typeorm';

/** Port to the notices for rows of checklists that a member of a firm has assigned to others. */
export abstract class RowsAssigned {
  /** Notifies the assignees, in the transaction of `manager`, which has stored the rows. */
  abstract notify(manager: EntityManager, firmId: string, rowIds: readonly string[]): Promise<void>;
}
