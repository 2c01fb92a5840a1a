import type { ReactNode } from 'react';
import css from './Picture.module.css';

const ground = <ellipse className={css.ground} cx="80" cy="58" rx="76" ry="50" />;

/** A sheet of paper with its corner folded. */
const paper = (x: number, y: number) => (
  <path className={css.sheet} d={`M${x} ${y}h30l12 12v46h-42zM${x + 30} ${y}v12h12`} />
);

const tick = (x: number, y: number) => <path className={css.green} d={`m${x} ${y} 4 4 7-8`} />;

// On a field of 160 × 112, without words.
const PICTURES = {
  find: (
    <>
      <rect className={css.sheet} x="50" y="8" width="60" height="96" rx="8" />
      <rect className={css.main} x="57" y="17" width="46" height="15" rx="7.5" />
      <path className={css.main} d="M64 24.5h14" />
      <path className={css.green} d="M59 44v12" />
      <path className={css.faint} d="M66 46h34M66 54h22" />
      <path className={css.amber} d="M59 65v12" />
      <path className={css.faint} d="M66 67h30M66 75h26" />
      <path className={css.red} d="M59 86v10" />
      <path className={css.faint} d="M66 88h34M66 95h18" />
      <circle className={css.sheet} cx="112" cy="36" r="15" />
      <circle className={css.main} cx="112" cy="36" r="15" />
      <path className={css.main} strokeWidth="5" d="m123 47 12 12" />
    </>
  ),
  remind: (
    <>
      <rect className={css.sheet} x="12" y="32" width="76" height="54" rx="4" />
      <path className={css.amber} strokeWidth="5" d="M15 36v46" />
      <path className={css.faint} d="M24 48h28M24 58h42M24 68h26" />
      <path className={css.filled} d="M66 26h14v26l-7-6-7 6z" />
      <path className={css.sheet} d="M110 72V58a14 14 0 0 1 28 0v14l5 6h-38zM118 84a6 6 0 0 0 12 0M124 44v-5" />
      <path className={css.main} d="M100 50a26 26 0 0 1 8-14M148 50a26 26 0 0 0-8-14" />
    </>
  ),
  papers: (
    <>
      {paper(22, 22)}
      {paper(32, 32)}
      <path className={css.faint} d="M40 54h24M40 62h24M40 70h16" />
      <rect className={css.sheet} x="86" y="18" width="54" height="80" rx="4" />
      <path className={css.filled} d="M103 13h20v10h-20z" />
      {[36, 52, 68].map((y) => (
        <g key={y}>
          {tick(93, y)}
          <path className={css.faint} d={`M110 ${y + 1}h22`} />
        </g>
      ))}
      <rect className={css.amber} x="93" y="80" width="10" height="10" rx="1" />
      <path className={css.faint} d="M110 85h22" />
    </>
  ),
  submit: (
    <>
      <path className={css.sheet} d="M84 44 114 24l30 20zM88 88h52v8H88z" />
      <path className={css.sheet} d="M92 50h8v32h-8zM110 50h8v32h-8zM128 50h8v32h-8z" />
      {paper(18, 34)}
      <path className={css.faint} d="M26 58h24M26 66h24" />
      <path className={css.main} d="M26 78c4-6 7 6 11 0s7 2 12 0" />
      <path className={css.main} strokeWidth="4" d="M64 60h18m-8-8 8 8-8 8" />
    </>
  ),
  mail: (
    <>
      <rect className={css.sheet} x="42" y="30" width="76" height="54" rx="4" />
      <path className={css.main} d="m44 33 36 28 36-28" />
    </>
  ),
  code: (
    <>
      <rect className={css.sheet} x="22" y="36" width="116" height="40" rx="6" />
      {[38, 58, 78, 98].map((x) => (
        <circle key={x} className={css.filled} cx={x} cy="56" r="3.5" />
      ))}
      <path className={css.green} strokeWidth="4" d="m112 56 6 6 11-13" />
    </>
  ),
  password: (
    <>
      <rect className={css.sheet} x="52" y="50" width="56" height="44" rx="6" />
      <path d="M62 50V38a18 18 0 0 1 36 0v12" />
      <circle className={css.filled} cx="80" cy="68" r="5" />
      <path className={css.main} d="M80 72v10" />
    </>
  ),
  place: (
    <>
      <path className={css.sheet} d="m22 38 36-12 44 12 36-12v60l-36 12-44-12-36 12zM58 26v60M102 38v60" />
      <path className={css.filled} d="M80 72c-14-18-18-24-18-32a18 18 0 0 1 36 0c0 8-4 14-18 32z" />
      <circle className={css.sheet} cx="80" cy="40" r="6" />
    </>
  ),
} satisfies Record<string, ReactNode>;

export type PictureName = keyof typeof PICTURES;

/** A picture of one step. `alt` says what it shows; without it the picture is a decoration. It is as wide as its place, 12rem at most. */
export function Picture({ name, alt }: { name: PictureName; alt?: string }) {
  return (
    <svg
      className={css.picture}
      viewBox="0 0 160 112"
      role={alt && 'img'}
      aria-label={alt}
      aria-hidden={!alt || undefined}
    >
      {ground}
      {PICTURES[name]}
    </svg>
  );
}
