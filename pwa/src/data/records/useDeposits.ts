import { useSpaceRows } from '../firms/useSpaceRows.ts';
import type { DepositRecord } from './deposits.ts';

const loadDeposits = async () => (await import('./deposits.ts')).readDeposits;

/** The current owner's deposits, renewed after each change. Undefined while they are read. */
export const useDeposits = (): DepositRecord[] | undefined => useSpaceRows(loadDeposits).rows;
