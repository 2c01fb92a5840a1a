import { type ComparedTender, findContradictions } from '@nivida/contract/documents/contradictions';
import { useTenderReading } from '../../data/readings/readings.ts';
import { Contradictions } from '../../features/document-facts/Contradictions.tsx';

/** Where the portal, the documents and the BOQ of a tender differ. Renders nothing until that is known. */
export function ReadingContradictions({ tender }: { tender: ComparedTender & { _id: string } }) {
  const { reading } = useTenderReading(tender._id);
  return reading ? <Contradictions tenderId={tender._id} found={findContradictions(tender, reading)} /> : null;
}
