import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { giveTouches, keepTouches, letTouchesGo } from './touches.ts';

const PAGE = `
  <a href="/pricing">Plans</a>
  <form><input name="q" placeholder="Work" /><select name="state"><option>Goa</option><option>Kerala</option></select>
  <input type="checkbox" name="agreed" /><button type="submit">Search</button></form>
  <button>Bookmark</button><button>Bookmark</button>`;

const root = () => document.getElementById('root') as HTMLElement;
const find = <T extends HTMLElement>(selector: string, place = 0) => root().querySelectorAll<T>(selector)[place] as T;

/** The app's own page stands in the place of the drawn one: elements that look the same, and are others. */
function drawApp(page = PAGE): string[] {
  root().innerHTML = page;
  const heard: string[] = [];
  for (const name of ['click', 'input', 'change', 'submit'])
    root().addEventListener(name, (event) => {
      const target = event.target as HTMLInputElement;
      const place = [...root().querySelectorAll(target.localName)].indexOf(target);
      heard.push(`${name} ${target.localName} ${place} ${target.value ?? ''}`.trim());
      if (target.type !== 'checkbox') event.preventDefault();
    });
  return heard;
}

beforeEach(() => {
  vi.useFakeTimers();
  document.body.innerHTML = `<div id="root">${PAGE}</div>`;
  keepTouches();
});
afterEach(() => {
  giveTouches();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('before the app is there', () => {
  test('a tapped button is pressed in the app, and only there', () => {
    find('button', 2).click();
    const heard = drawApp();
    giveTouches();
    expect(heard).toEqual([]);
    vi.runAllTimers();
    expect(heard).toEqual(['click button 2']);
  });

  test('of several taps the last one counts', () => {
    find('button', 1).click();
    find('a').click();
    const heard = drawApp();
    giveTouches();
    vi.runAllTimers();
    expect(heard).toEqual(['click a 0']);
  });

  test('what was typed and chosen stands in the app’s fields, which hear of it', () => {
    find<HTMLInputElement>('input').value = 'culvert';
    find('input').dispatchEvent(new Event('input', { bubbles: true }));
    find<HTMLSelectElement>('select').value = 'Kerala';
    find('select').dispatchEvent(new Event('input', { bubbles: true }));
    const heard = drawApp();
    giveTouches();
    expect(find<HTMLInputElement>('input').value).toBe('culvert');
    expect(heard).toEqual(['input input 0 culvert', 'change select 0 Kerala']);
  });

  test('what was ticked is ticked in the app', () => {
    find('[type="checkbox"]').click();
    const heard = drawApp();
    giveTouches();
    expect(find<HTMLInputElement>('[type="checkbox"]').checked).toBe(true);
    expect(heard).toContain('change input 1 on');
  });

  test.each([
    ['navigate', 'is kept too', 'bridge'],
    ['reload', 'is the browser’s, of a page that the app restores itself', ''],
  ])('what stands in a field before the first script after a %s %s', (type, _kept, value) => {
    giveTouches();
    vi.spyOn(performance, 'getEntriesByType').mockReturnValue([{ type } as unknown as PerformanceEntry]);
    find<HTMLInputElement>('input').value = 'bridge';
    keepTouches();
    drawApp();
    giveTouches();
    expect(find<HTMLInputElement>('input').value).toBe(value);
  });

  test('a tap that sends a form sends what was typed', () => {
    find<HTMLInputElement>('input').value = 'culvert';
    find('input').dispatchEvent(new Event('input', { bubbles: true }));
    find('button', 0).click();
    const heard = drawApp();
    giveTouches();
    vi.runAllTimers();
    expect(heard).toEqual(['input input 0 culvert', 'click button 0']);
  });

  test('who stood in a field stands in it still', () => {
    find('input').focus();
    drawApp();
    giveTouches();
    expect(document.activeElement).toBe(find('input'));
  });

  test('what the app does not show is let go', () => {
    find('button', 0).click();
    const heard = drawApp('<button>Another</button>');
    giveTouches();
    vi.runAllTimers();
    expect(heard).toEqual([]);
  });

  test('a link whose app does not come is followed, not at once', () => {
    const followed = vi.spyOn(location, 'assign').mockImplementation(() => undefined);
    find('a').click();
    vi.advanceTimersByTime(2_900);
    expect(followed).not.toHaveBeenCalled();
    vi.advanceTimersByTime(200);
    expect(followed).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(/\/pricing$/));
  });
});

test('when the app cannot come, what is tapped is the browser’s', () => {
  letTouchesGo();
  const click = new MouseEvent('click', { bubbles: true, cancelable: true });
  find('a').addEventListener('click', (event) => event.stopPropagation());
  expect(find('a').dispatchEvent(click)).toBe(true);
});

test('afterwards the app hears everything itself, once', () => {
  const heard = drawApp();
  giveTouches();
  find('button', 0).click();
  giveTouches();
  expect(heard).toEqual(['click button 0']);
});
