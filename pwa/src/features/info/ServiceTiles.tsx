import { t } from '@lingui/core/macro';
import { i18n } from '@nivida/contract/i18n';
import { Link } from 'react-router-dom';
import { Icon } from '../../ui/display/Icon.tsx';
import { StatusStamp } from '../../ui/display/Status.tsx';
import type { Service } from './home-services.ts';
import css from './ServiceTiles.module.css';

interface ServiceTilesProps {
  tiles: readonly Service[];
  /** Number of tiles side by side on a wide screen. */
  columns: 2 | 3 | 4;
  /** The link target of each tile. Without it the tiles are not links. */
  to?: string;
}

function TileText({ tile }: { tile: Service }) {
  return (
    <>
      <Icon name={tile.icon} />
      <h3>{tile.title}</h3>
      {tile.claim?.shown && <p className={css.claim}>{i18n._(tile.claim.text)}</p>}
      <p>{tile.text}</p>
      {tile.status === 'soon' && (
        <p className={css.soon}>
          <StatusStamp tone="gray" label={t`Coming soon`} />
        </p>
      )}
    </>
  );
}

/** Services as cards under an h2. The card of a planned service says so. */
export function ServiceTiles({ tiles, columns, to }: ServiceTilesProps) {
  return (
    <ul className={css.tiles} data-columns={columns}>
      {tiles.map((tile) => (
        <li key={tile.title}>
          {to ? (
            <Link to={to}>
              <TileText tile={tile} />
            </Link>
          ) : (
            <div>
              <TileText tile={tile} />
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}
