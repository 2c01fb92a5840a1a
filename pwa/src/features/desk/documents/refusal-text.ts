import { t } from '@lingui/core/macro';

/** What to do with a file by the server's reason, which is English. Undefined for another reason. */
export function refusalText(note: string): string | undefined {
  if (/password/.test(note)) return t`It is locked with a password. Save it without one and attach it again.`;
  if (/is empty/.test(note)) return t`It is empty. Load it from the portal again.`;
  if (/larger than \d+ MB/.test(note) && /package/.test(note))
    return t`The package of this tender would have more than 200 MB. Remove a file that is not needed.`;
  if (/what its name says/.test(note))
    return t`Its content is of another type than its name says. Save it under the right type.`;
  if (/program/.test(note)) return t`It is a program or holds one. Such files are never attached.`;
  if (/type that is not accepted|no file type/.test(note))
    return t`This type is not taken. Attach PDF, Word, Excel, pictures, CAD files or ZIP.`;
  if (/archive|unpack|holds/.test(note)) return t`The ZIP cannot be opened safely. Unpack it and attach its files.`;
  return undefined;
}
