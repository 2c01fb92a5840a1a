import { AlertOrInstallOffer } from '../alerts/AlertOrInstallOffer.tsx';
import { FirstRunTour } from '../help/FirstRunTour.tsx';

/** What the app offers by itself. It loads after the first screen. */
export const Offers = () => (
  <>
    <AlertOrInstallOffer />
    <FirstRunTour />
  </>
);
