/** Shows the server's reasons for refusing records. Each reason is shown once until the app is closed. */
const reported = new Set<string>();
let show: (reason: string) => void = () => undefined;

/** Sets how a reason is shown. */
export function onRecordRefused(listener: (reason: string) => void): void {
  show = listener;
}

/** Shows a reason that was not shown before. */
export function reportRefusal(reason: string): void {
  if (reported.has(reason)) return;
  reported.add(reason);
  show(reason);
}
