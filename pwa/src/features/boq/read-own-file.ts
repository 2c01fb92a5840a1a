/** Reads a workbook of the user on the server, which removes it again. */
import { OwnReading } from '@nivida/contract/documents/tender-reading';
import { FILE_PART_BYTES } from '@nivida/contract/limits';
import * as v from 'valibot';
import { hashContent } from '../../data/hash.ts';
import { apiOf } from '../../data/server/api.ts';
import { currentOwner } from '../../data/session.ts';

const UploadAnswer = v.object({ stored: v.number(), reading: v.nullable(OwnReading) });

/** Sends the parts that the server does not have, and returns what was read. Throws the errors of the calls. */
export async function readOwnFile(file: File): Promise<OwnReading> {
  const owner = currentOwner();
  const sha256 = await hashContent(await file.arrayBuffer());
  const parts = Math.max(1, Math.ceil(file.size / FILE_PART_BYTES));
  for (let part = 0; ; ) {
    const answer = await apiOf(owner)
      .put(`api/readings/files/${sha256}/${part}/${parts}`, {
        body: file.slice(part * FILE_PART_BYTES, (part + 1) * FILE_PART_BYTES),
        headers: { 'content-type': 'application/octet-stream' },
        searchParams: { name: file.name },
        timeout: 90_000,
      })
      .json(UploadAnswer);
    if (answer.reading) return answer.reading;
    // When only the reading is missing, the last part asks for it again.
    part = Math.min(answer.stored, parts - 1);
  }
}
