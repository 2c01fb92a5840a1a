import { useShownLocation } from '../../ui/browser-state.ts';
import { optionalPart } from '../../ui/lazy/lazy.tsx';

/** The switch between the user's own records and those of firms. Its code is loaded after the screen's. */
export const OptionalSpaceSwitch = optionalPart(
  async () => (await import('../../features/firms/SpaceSwitch.tsx')).SpaceSwitch,
);

const SpaceOfLink = optionalPart(async () => (await import('../../features/firms/SpaceOfLink.tsx')).SpaceOfLink);

/** Shows the records of the firm that the query of the address names. Renders nothing. */
export function OptionalSpaceOfLink() {
  const firmId = new URLSearchParams(useShownLocation().search).get('firm');
  return firmId !== null && <SpaceOfLink firmId={firmId} />;
}
