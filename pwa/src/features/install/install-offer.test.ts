// @vitest-environment node
import { describe, expect, test } from 'vitest';
import {
  INITIAL_STATE,
  type InstallEvent,
  installMemoryOf,
  nextInstallState,
  shouldOfferInstall,
} from './install-offer.ts';

const indian = (text: string) => new Date(`${text}+05:30`);
const MONDAY = indian('2026-04-13T10:00:00');
const MONDAY_NIGHT = indian('2026-04-13T23:59:59');
const TUESDAY = indian('2026-04-14T00:00:00');
const after = (...events: InstallEvent[]) => events.reduce(nextInstallState, INITIAL_STATE);

const promptable: InstallEvent = { type: 'promptable' };
const visited = (now: Date): InstallEvent => ({ type: 'visited', now });
const refused = (now: Date): InstallEvent => ({ type: 'refused', now });

describe('the offer to install', () => {
  test.each<[string, InstallEvent[], boolean, Date, boolean]>([
    ['at the start of the first visit: no', [visited(MONDAY), promptable], false, MONDAY, false],
    [
      'opened again on the same day: no',
      [promptable, visited(MONDAY), visited(MONDAY_NIGHT)],
      false,
      MONDAY_NIGHT,
      false,
    ],
    ['on the second day: yes', [promptable, visited(MONDAY), visited(TUESDAY)], false, TUESDAY, true],
    ['after a bookmark on the first visit: yes', [promptable, visited(MONDAY)], true, MONDAY, true],
    ['after a bookmark before the visit was counted: yes', [promptable], true, MONDAY, true],
    ['where the browser cannot install: no', [visited(MONDAY), visited(TUESDAY)], true, TUESDAY, false],
    ['on an iPhone after a bookmark: yes', [{ type: 'by hand' }, visited(MONDAY)], true, MONDAY, true],
    ['on an iPhone at the first visit: no', [{ type: 'by hand' }, visited(MONDAY)], false, MONDAY, false],
    ['once the prompt has been used: no', [promptable, { type: 'prompted' }], true, MONDAY, false],
    ['in the installed app: no', [{ type: 'installed' }, visited(MONDAY), visited(TUESDAY)], true, TUESDAY, false],
    ['after it was installed here: no', [promptable, { type: 'installed' }], true, MONDAY, false],
    ['after it was removed from the phone: yes', [{ type: 'installed' }, promptable], true, MONDAY, true],
    ['refused, the same day: no', [promptable, refused(MONDAY)], true, MONDAY_NIGHT, false],
    ['refused, on the 29th day: no', [promptable, refused(MONDAY)], true, indian('2026-05-12T23:59:59'), false],
    ['refused, on the 30th day: yes', [promptable, refused(MONDAY)], true, indian('2026-05-13T00:00:00'), true],
    [
      'refused twice: counted from the second time',
      [promptable, refused(MONDAY), refused(indian('2026-05-20T12:00:00'))],
      true,
      indian('2026-06-18T12:00:00'),
      false,
    ],
  ])('%s', (_name, events, hasBookmark, now, offered) => {
    expect(shouldOfferInstall(after(...events), hasBookmark, now)).toBe(offered);
  });
});

describe('the stored data of the device', () => {
  test('the second day counts after a restart', () => {
    const memory = installMemoryOf(after(visited(MONDAY)));
    const state = after(
      promptable,
      { type: 'remembered', memory: JSON.parse(JSON.stringify(memory)) },
      visited(TUESDAY),
    );
    expect(shouldOfferInstall(state, false, TUESDAY)).toBe(true);
  });

  test('a refusal holds after a restart', () => {
    const memory = installMemoryOf(after(promptable, refused(MONDAY)));
    expect(shouldOfferInstall(after(promptable, { type: 'remembered', memory }), true, TUESDAY)).toBe(false);
  });

  test('the installation itself is not stored', () => {
    expect(installMemoryOf(after({ type: 'installed' }, visited(MONDAY)))).toEqual({
      visits: 1,
      lastVisit: 20_556,
      refused: null,
    });
  });

  test.each([[undefined], [null], ['x'], [7], [{}], [{ visits: 1 }], [{ visits: '9', lastVisit: 1, refused: null }]])(
    'an invalid value counts as none: %j',
    (memory) => {
      expect(nextInstallState(INITIAL_STATE, { type: 'remembered', memory })).toEqual(INITIAL_STATE);
    },
  );
});
