import { Link } from 'react-router-dom';
import { Icon } from '../../ui/Icon.tsx';
import { Stamp } from '../../ui/Status.tsx';
import type { Service } from './services.ts';
import css from './Tiles.module.css';

interface TilesProps {
  tiles: readonly Service[];
  /** How many stand side by side on a wide screen. */
  columns: 2 | 3 | 4;
  /** Where each of them leads; without it they are no links. */
  to?: string;
}

function Words({ tile }: { tile: Service }) {
  return (
    <>
      <Icon name={tile.icon} />
      <h3>{tile.title}</h3>
      {tile.claim?.shown && <p className={css.claim}>{tile.claim.text}</p>}
      <p>{tile.text}</p>
      {tile.status === 'soon' && (
        <p className={css.soon}>
          <Stamp tone="gray" label="Coming soon" />
        </p>
      )}
    </>
  );
}

/** Services as cards under an h2; what cannot be used yet says so. */
export function Tiles({ tiles, columns, to }: TilesProps) {
  return (
    <ul className={css.tiles} data-columns={columns}>
      {tiles.map((tile) => (
        <li key={tile.title}>
          {to ? (
            <Link to={to}>
              <Words tile={tile} />
            </Link>
          ) : (
            <div>
              <Words tile={tile} />
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}
