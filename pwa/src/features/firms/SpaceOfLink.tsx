import { useEffect } from 'react';
import { chooseSpace } from '../../data/firms/space.ts';
import { useFirms } from './useFirms.ts';

/** Shows the records of the firm that a link names (`?firm=`), if the user is a member. Notices have such links. Renders nothing. */
export function SpaceOfLink({ firmId }: { firmId: string }) {
  const isMember = useFirms().rows?.some(({ id }) => id === firmId) ?? false;
  useEffect(() => {
    if (isMember) chooseSpace(firmId);
  }, [firmId, isMember]);
  return null;
}
