import { setTimeout as wait } from 'node:timers/promises';

/** Waits until the packs of all states are built: before that the server answers 503, which browsers log as an error. */
export async function waitForPacks(origin: string): Promise<void> {
  const { states }: { states: { slug: string }[] } = await (await fetch(`${origin}/api/regions`)).json();
  for (const scope of [...states.map(({ slug }) => slug), 'india'])
    while ((await fetch(`${origin}/api/sync/${scope}`)).status === 503) await wait(200);
}
