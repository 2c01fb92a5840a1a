/** Files of messages with support, before they are sent. */
import { MAX_ATTACHMENT_BYTES } from '@nivida/contract/limits';
import { ATTACHMENT_TYPES, MAX_ATTACHMENT_NAME, type SupportAttachment } from '@nivida/contract/support/attachments';
import { prepareFile } from '../files/prepare-file.ts';

/** Prepares a chosen file under a new id. Throws FileRefusedError. */
export async function prepareAttachment(chosen: File): Promise<{ attachment: SupportAttachment; file: Blob }> {
  const { name, type, bytes, file } = await prepareFile(chosen, MAX_ATTACHMENT_BYTES);
  const kind = ATTACHMENT_TYPES.find((each) => each === type);
  if (!kind) throw new TypeError(`${type} is not a type of attachments`);
  const extension = name.lastIndexOf('.');
  const shortName = name.slice(0, Math.min(extension, MAX_ATTACHMENT_NAME - 5)) + name.slice(extension);
  return { attachment: { id: crypto.randomUUID(), name: shortName, type: kind, bytes }, file };
}
