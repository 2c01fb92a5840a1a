import { useTenderReading } from '../../data/readings/readings.ts';
import { useSession } from '../../data/session.ts';
import { ReadOwnFile } from '../../features/shared-files/ReadOwnFile.tsx';

/** The user's own files of a tender, and a way to have one read. */
export function OwnFilesOfTender({ tenderId }: { tenderId: string }) {
  const isSignedIn = useSession() !== null;
  const { reading } = useTenderReading(isSignedIn ? tenderId : null);
  return <ReadOwnFile tenderId={tenderId} kept={(reading?.files ?? []).filter(({ isOwn }) => isOwn)} />;
}
