/** The dashboard's blocks that have a chunk of their own. `lazy.tsx` loads the dashboard itself. */
import { optionalPart } from '../ui/lazy/lazy.tsx';

export const DashboardNotes = optionalPart(async () => (await import('./dashboard/DashboardNotes.tsx')).DashboardNotes);

export const PreparingBlock = optionalPart(async () => (await import('./bids/PreparingBlock.tsx')).PreparingBlock);
