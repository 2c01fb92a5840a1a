import { Link } from 'react-router-dom';
import css from './Footer.module.css';

/** The legal pages open in a new tab so that no half-filled form is lost. */
export function Footer() {
  return (
    <footer className={css.foot}>
      <div>
        <p className="muted">
          Nivida is not a government site. Official tender documents are free at the portal that published them; bids
          are submitted there.
        </p>
        <ul>
          <li>
            <Link to="/about">About Us</Link>
          </li>
          <li>
            <Link to="/privacy" target="_blank">
              Privacy
            </Link>
          </li>
          <li>
            <Link to="/terms" target="_blank">
              Terms
            </Link>
          </li>
          <li>
            <Link to="/cookies" target="_blank">
              Cookies
            </Link>
          </li>
          <li>
            <Link to="/refund" target="_blank">
              Refund
            </Link>
          </li>
        </ul>
      </div>
    </footer>
  );
}
