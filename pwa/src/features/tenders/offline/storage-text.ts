/** Why nothing can be saved on this device. `isSilent`: the browser's storage has not answered. */
export function storageText(isSilent: boolean): string {
  return isSilent
    ? 'The storage of this browser does not answer. Close other tabs of Nivida, or restart the browser. Until then Nivida works online only.'
    : 'This browser blocks storage (a private window?). Nivida works online only here.';
}
