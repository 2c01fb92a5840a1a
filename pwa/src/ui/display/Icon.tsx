import css from './Icon.module.css';

// Strokes on a grid of 24 × 24, in the colour of the text.
const ICON_PATHS = {
  back: 'M19 12H5m6-6-6 6 6 6',
  bell: 'M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 1.5h-15zM10 20.5h4',
  bookmark: 'M7 4h10v16l-5-4-5 4z',
  calendar: 'M4.5 6h15v14h-15zM4.5 10.5h15M8.5 3.5v4M15.5 3.5v4M12 13v4m-2-2h4',
  change: 'M4 9h13m-4-4 4 4-4 4M20 15H7m4 4-4-4 4-4',
  chart: 'M4 20h16M7 16v-5M12 16V6M17 16v-8',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  clock: 'M3 12a9 9 0 1 0 18 0a9 9 0 1 0-18 0M12 7v5l3.5 2',
  close: 'm6 6 12 12M18 6 6 18',
  document: 'M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6',
  down: 'm6 9.5 6 6 6-6',
  download: 'M12 4v11m-5-5 5 5 5-5M5 20h14',
  eye: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM9.5 12a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0',
  filter: 'M4 7h16M7 12h10M10 17h4',
  gear: 'M9 12a3 3 0 1 0 6 0a3 3 0 1 0-6 0M12 3v3M12 18v3M3 12h3M18 12h3M5.6 5.6l2.2 2.2M16.2 16.2l2.2 2.2M18.4 5.6l-2.2 2.2M7.8 16.2l-2.2 2.2',
  help: 'M3 12a9 9 0 1 0 18 0a9 9 0 1 0-18 0M9.5 9.5a2.5 2.5 0 1 1 3.5 2.3c-.7.3-1 .8-1 1.7M12 16.5h.01',
  home: 'M4 11.5 12 4l8 7.5M6 10v10h12V10',
  list: 'M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01',
  menu: 'M4 7h16M4 12h16M4 17h16',
  microphone: 'M9 6a3 3 0 0 1 6 0v5a3 3 0 0 1-6 0zM5.5 11a6.5 6.5 0 0 0 13 0M12 17.5V21',
  next: 'm9 5 7 7-7 7',
  offline:
    'm4 4 16 16M5 12.5a10 10 0 0 1 4-2.4M2 9a15 15 0 0 1 4.5-2.7M12 7a14.5 14.5 0 0 1 10 3M15.5 11a9.5 9.5 0 0 1 3.5 2M9 16.2a5 5 0 0 1 5-.4M12 19.5h.01',
  out: 'M14 4h5v16h-5M4 12h11m-4-4 4 4-4 4',
  phone: 'M7 3h10v18H7zM11 18h2',
  previous: 'm15 5-7 7 7 7',
  rupee: 'M7 5h10M7 9.5h10M7 5h3.5a4.5 4.5 0 0 1 0 9H7l6.5 6',
  search: 'M4.5 11a6.5 6.5 0 1 0 13 0a6.5 6.5 0 1 0-13 0M16 16l4.5 4.5',
  send: 'M12 3v11M8.5 6.5 12 3l3.5 3.5M8 10H5.5v10.5h13V10H16',
  share:
    'M3.5 12a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0M15 5.5a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0M15 18.5a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0M8.3 10.8l7-4M8.3 13.2l7 4',
  sort: 'M8 5v14m-3-3 3 3 3-3M16 19V5m-3 3 3-3 3 3',
  user: 'M8 8a4 4 0 1 0 8 0a4 4 0 1 0-8 0M4.5 20a7.5 7.5 0 0 1 15 0',
  warning: 'M12 4 2.5 20h19zM12 10v4.5M12 17.5h.01',
} as const;

export type IconName = keyof typeof ICON_PATHS;

/**
 * An icon of 20 px, or 16 px with `small`. Screen readers skip it, so a button without text needs an
 * `aria-label`.
 */
export function Icon({ name, small }: { name: IconName; small?: boolean }) {
  return (
    <svg className={css.icon} data-small={small || undefined} viewBox="0 0 24 24" aria-hidden="true">
      <path d={ICON_PATHS[name]} />
    </svg>
  );
}

/**
 * The product's logo: the न of निविदा as rule, rail and stamp, in its own colours. The parent's CSS sets its
 * size.
 */
export function Logo() {
  return (
    <svg viewBox="0 0 48 48" aria-hidden="true">
      <rect width="48" height="48" rx="11" fill="#1f3fb5" />
      <path d="M9 13.5h30M31.5 13.5V39M31.5 26.5H19" fill="none" stroke="#fff" strokeWidth="5" />
      <circle cx="16" cy="29" r="6" fill="#ffb42e" />
    </svg>
  );
}
