/** The dashboard's blocks that have a chunk of their own. */
import { optionalPart } from '../../ui/lazy/lazy.tsx';

export const DashboardNotes = optionalPart(async () => (await import('./DashboardNotes.tsx')).DashboardNotes);

export const PreparingBlock = optionalPart(async () => (await import('../bids/PreparingBlock.tsx')).PreparingBlock);
