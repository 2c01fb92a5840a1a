import { t } from '@lingui/core/macro';
import { Panel } from '../../ui/display/Panel.tsx';
import { Picture, type PictureName } from '../../ui/pictures/Picture.tsx';
import css from './Help.module.css';

const steps = (): { picture: PictureName; alt: string; title: string; text: string }[] => [
  {
    picture: 'find',
    alt: t`A phone with a search field and a list of tenders`,
    title: t`Find`,
    text: t`Search by the work, the place, the department or the tender ID.`,
  },
  {
    picture: 'remind',
    alt: t`A bookmarked tender and a bell`,
    title: t({ message: 'Bookmark', context: 'a step' }),
    text: t`Tap the bookmark. With alerts on, you are reminded before closing, and when a date changes.`,
  },
  {
    picture: 'papers',
    alt: t`Papers, and a list with three ticks and one open box`,
    title: t`Prepare your papers`,
    text: t`The checklist says what to upload and what you still lack. It works without a connection.`,
  },
  {
    picture: 'submit',
    alt: t`A signed paper on its way to a government building`,
    title: t`Submit at the portal`,
    text: t`Sign your bid with your DSC and submit it at the portal that published the tender, never here.`,
  },
];

/** The way from a search to a submitted bid, in four pictures. */
export function HowItWorks() {
  return (
    <Panel stack aria-labelledby="how">
      <h2 id="how">{t`How it works`}</h2>
      <ol className={css.steps}>
        {steps().map(({ picture, alt, title, text }) => (
          <li key={picture}>
            <Picture name={picture} alt={alt} />
            <h3>{title}</h3>
            <p className="s muted">{text}</p>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
