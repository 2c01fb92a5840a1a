import { PAGES, pageText } from '@nivida/contract/site/pages';
import { Link } from 'react-router-dom';
import { useDeskMe } from '../../features/desk/data/desk-me.ts';
import { deskMenu } from '../../features/desk/frame/desk-menu.ts';
import { PageMeta } from '../../ui/PageMeta.tsx';

/** `/desk`: where the work of the staff begins. */
export function DeskToday() {
  const { me } = useDeskMe();
  const text = pageText(PAGES['/desk']);
  return (
    <div className="page stack">
      <PageMeta {...text} />
      <h1>{text.title}</h1>
      <ul className="rows">
        {me &&
          deskMenu(me.role)
            .filter(({ to }) => to !== '/desk')
            .map(({ to }) => (
              <li key={to}>
                <Link to={to}>{pageText(PAGES[to]).title}</Link>
              </li>
            ))}
      </ul>
    </div>
  );
}
