/** The tour has a chunk of its own: most visits do not show it. */
import { tourTitle } from '../features/help/tour.ts';
import { lazyDialog } from '../ui/lazy/lazy.tsx';

export const loadTour = async () => (await import('../features/help/TourDialog.tsx')).TourDialog;

export const TourDialog = lazyDialog(loadTour, tourTitle);
