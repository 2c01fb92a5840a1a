/** How long the file's URL stays valid. Some browsers read the file only after the tap is handled. */
const URL_LIFETIME_MS = 60_000;

/** Saves a file to the device as a download. */
export function saveFile(name: string, file: Blob): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), URL_LIFETIME_MS);
}

/** True where this browser can pass a file to another app. */
export const canShareFile = (file: File): boolean => Boolean(navigator.canShare?.({ files: [file] }));

/** Offers the file to the device's apps. Does nothing when the user closes the list of apps. */
export async function shareFile(file: File): Promise<void> {
  await navigator.share({ files: [file], title: file.name }).catch(() => undefined);
}
