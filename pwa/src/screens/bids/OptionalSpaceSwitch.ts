import { optionalPart } from '../../ui/lazy/lazy.tsx';

/** The switch between the user's own records and those of firms. Its code is loaded after the screen's. */
export const OptionalSpaceSwitch = optionalPart(
  async () => (await import('../../features/firms/SpaceSwitch.tsx')).SpaceSwitch,
);
