import { t } from '@lingui/core/macro';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { Picture, type PictureName } from '../../ui/pictures/Picture.tsx';
import css from './Help.module.css';
import { tourTitle } from './tour.ts';

const cards = (): { picture: PictureName; alt: string; title: string; text: string }[] => [
  {
    picture: 'find',
    alt: t`A phone with a search field and a list of tenders`,
    title: t`Search with your own words`,
    text: t`The work, the place, the department or the tender ID, in Hindi or English. Type “road Mandi under 20 lakh”, and the amount is understood too.`,
  },
  {
    picture: 'remind',
    alt: t`A bookmarked tender and a bell`,
    title: t`Bookmark a tender, and be reminded`,
    text: t`Tap the bookmark beside it. Turn on alerts to be reminded before it closes, and when its date changes.`,
  },
  {
    picture: 'papers',
    alt: t`Papers, and a list with three ticks and one open box`,
    title: t`Your papers, also without a connection`,
    text: t`“Prepare bid” on a tender starts its checklist and notes your EMD. What you have saved opens without a connection too.`,
  },
];

/** The app in three cards. It can be left at each of them. */
export function TourDialog({ onClose }: { onClose: () => void }) {
  const [movedTo, setMovedTo] = useState<number>();
  const at = movedTo ?? 0;
  const heading = useRef<HTMLHeadingElement>(null);
  const all = cards();
  const card = all[at];
  // A screen reader reads the card that has come.
  useEffect(() => {
    if (movedTo !== undefined) heading.current?.focus();
  }, [movedTo]);
  if (!card) return null;
  const isLast = at === all.length - 1;
  return (
    <Dialog title={tourTitle()} onClose={onClose}>
      <div className={css.card}>
        <Picture name={card.picture} alt={card.alt} />
        <h3 ref={heading} tabIndex={-1}>
          {card.title}
        </h3>
        <p>{card.text}</p>
        <p className="xs muted">{t`Card ${{ number: at + 1 }} of ${{ total: all.length }}`}</p>
      </div>
      <DialogActions>
        {/* With keys, a second Enter does not press the button that has come in the place of the first. */}
        {isLast ? (
          <Button key="again" onClick={() => setMovedTo(0)}>{t`Again`}</Button>
        ) : (
          <Button key="skip" onClick={onClose}>{t`Skip`}</Button>
        )}
        <Button key={isLast ? 'end' : 'next'} look="main" onClick={isLast ? onClose : () => setMovedTo(at + 1)}>
          {isLast ? t`Got it` : t`Next`}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
